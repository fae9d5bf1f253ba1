"""Floor 6: agents that are run many times: scenarios, the ledger of their samples, shards, and what a job log tells of earlier runs."""
