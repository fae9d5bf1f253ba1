"""One batch on many engines: a scenario is run 400 times, here, in processes of its own, on Dask and on Spark. Every engine gives the same bytes.

    python -m examples.scale.batch here
    python -m examples.scale.batch processes
    python -m examples.scale.batch dask       (where Dask is installed)
    python -m examples.scale.batch spark      (where PySpark is installed, and Java)

What is sent to the workers is `run`: the scenario is picklable, and so is the sample that comes back. What is done with the samples is the gate's one call.
"""
import hashlib
import sys

import gatekit

RUNS = [f"run-{number:04d}" for number in range(1, 401)]


def summarise(step):
    """The stand-in for an agent: it forgets the period in about one run of a hundred, and its model is down in another."""
    luck = int(hashlib.sha256(step.sample.encode()).hexdigest(), 16) % 100
    if luck == 0:
        raise ConnectionError("the model is overloaded")
    period = "soon" if luck == 1 else f"within {step.inputs['days']} days"
    return f"You get a full refund {period}; return shipping is free."


SCENARIO = gatekit.Scenario(
    "refund-summary",
    agent=summarise,
    inputs={"days": 14},
    checks=[{"must_include": ["refund", ["14 days", "14-day"]], "packs": ["secrets", "refusals"]}],
    transient=[ConnectionError],
    max_failure_rate="3%",
)


def run(name):
    """One run, wherever it is made."""
    return gatekit.run_scenario(SCENARIO, sample=name).sample


def here(runs):
    """One after the other."""
    return map(run, runs)


def processes(runs):
    """In processes of their own, by the standard library."""
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(run, runs, chunksize=50))


def dask(runs):
    """On Dask: here in processes, with a client of a cluster there."""
    import dask.bag

    return dask.bag.from_sequence(runs, npartitions=4).map(run).compute(scheduler="processes")


def spark(runs):
    """On Spark: here on two cores, with another master there."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").appName("gatekit").config("spark.ui.enabled", "false").getOrCreate()
    try:
        return session.sparkContext.parallelize(runs, 4).map(run).collect()
    finally:
        session.stop()


ENGINES = {"here": here, "processes": processes, "dask": dask, "spark": spark}


def main(engine):
    """Run the batch on an engine, and print what the gate says of it."""
    report = SCENARIO.judge(ENGINES[engine](RUNS))
    print(report)
    return report.exit_code


if __name__ == "__main__":
    # Workers find the functions by the module's name, and this file has it twice: as the program, it is called __main__.
    from examples.scale import batch

    sys.exit(batch.main(sys.argv[1] if len(sys.argv) > 1 else "here"))
