"""What a team would write without the package: one pattern a needle over the lower-cased text. The yardstick of the benches."""
import json
import re
import sys

INCLUDE = ["refund", "14 days", "shipping"]
EXCLUDE = ["i cannot assist", "i'm unable to help", "wire transfer"]


def compiled(needle):
    return re.compile("(?<![a-z0-9])" + re.escape(needle) + "(?![a-z0-9])")


def main(path):
    include = [compiled(needle) for needle in INCLUDE]
    exclude = [compiled(needle) for needle in EXCLUDE]
    passed = failed = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["output"].lower()
            missing = [pattern for pattern in include if not pattern.search(text)]
            present = [pattern for pattern in exclude if pattern.search(text)]
            if missing or present:
                failed += 1
            else:
                passed += 1
    print(passed, failed)


if __name__ == "__main__":
    main(sys.argv[1])
