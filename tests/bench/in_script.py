"""The floor: a script that only asks `in` of the lower-cased text, and so finds `14 days` in `114 days`."""
import json
import sys

INCLUDE = ["refund", "14 days", "shipping"]
EXCLUDE = ["i cannot assist", "i'm unable to help", "wire transfer"]


def main(path):
    passed = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["output"].lower()
            passed += all(needle in text for needle in INCLUDE) and not any(needle in text for needle in EXCLUDE)
    print(passed)


if __name__ == "__main__":
    main(sys.argv[1])
