"""The two steps as one workflow; a person approves what each gives.

    python -m gatekit workflow examples.intel.workflow:intel -n 100 --fixture examples/intel/offer.fixture.yaml
    python -m gatekit operate examples.intel.workflow:intel --operator ida --ledger offers
"""
import gatekit

from .agents import draft_offer, synthesize
from .scenarios import ABOUT, COMPANY, DRAFT_OFFER, FILING, NOTES, PRESS, SURROUNDINGS, SYNTHESIZE

STEP = {name: SURROUNDINGS[name] for name in ("client", "transient")}

intel = gatekit.Workflow(
    "intel",
    [
        gatekit.WorkflowStep("synthesize", synthesize, template=SYNTHESIZE, approval=True, **STEP),
        gatekit.WorkflowStep("draft_offer", draft_offer, needs=["synthesize"], template=DRAFT_OFFER, approval=True, **STEP),
    ],
    inputs={"company": COMPANY, "sources": [PRESS, FILING, ABOUT], "notes": NOTES},
    max_failure_rate="0.01",
)
