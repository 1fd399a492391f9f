"""Every command of the command line: its options, its help, and the module that does its work.

A command imports its work when it is called, so that `--help` and completion need no NumPy.
"""

from __future__ import annotations

from typing import Any

import click

from suffice.app.cli import options


@click.command(short_help="Tell what is in a table.")
@options.files
@options.plot("a histogram, or the most frequent values, of each column")
@options.together(*options.engines, *options.columns, options.weights, *options.written, options.style)
def describe(files: tuple[str, ...], style: str, **given: Any) -> None:
    """Tell what is in FILE: kinds of columns, missing and bad cells, and the statistics that each kind permits.

    \b
    suffice describe patients.csv
    suffice describe north/ south.parquet --kinds notes=text --format json
    """
    from suffice.app.cli.describe import describe

    describe(files, **given).write(style)


@click.command(short_help="Learn to predict a column of a table.")
@options.files
@click.option("--target", required=True, metavar="COL", help="The column to predict.")
@click.option("--out", type=options.PATH, metavar="MODEL", help="The file to save the model to.")
@options.kind("NaiveBayes for classes, Ridge for numbers unless given.")
@options.settings
@click.option(
    "--calibrate", type=click.Choice(options.MAPS), metavar="METHOD",
    help=f"Map scores to probabilities by rows held out in turn: {', '.join(options.MAPS)}.",
)  # fmt: skip
@click.option(
    "--test-size", type=options.Share(max_open=True), default=0.2, show_default=True, metavar="SHARE",
    help="The share of rows to hold out for the scores; 0 for none.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, metavar="NUMBER",
    help="Decides, with its number, whether a row is held out; what the model draws begins there too.",
)  # fmt: skip
@click.option("--stratify", is_flag=True, help="Hold out the same share of every class, in the order of its rows.")
@click.option(
    "--refit/--no-refit", default=True, show_default=True, help="Whether the saved model learns held-out rows too."
)
@options.together(options.ledger, options.key, options.keep, *options.engines)
@options.together(*options.columns, options.weights, *options.written, options.style)
def train(files: tuple[str, ...], out: str | None, style: str, **given: Any) -> None:
    """Learn to predict a column of FILE from the others.

    Some rows are held out, by their number and the seed alone. The scores are those of the model of the other rows. The
    model that is saved has learned the held-out rows too (which costs nothing where summaries add), unless --no-refit.

    A target is a quantity, and a regressor is trained, if it holds fractions or more than 30 different numbers.

    \b
    suffice train patients.csv --target diagnosis --out clinic.suffice
    suffice train patients.csv --target diagnosis --model Tree --set max_depth=3 --calibrate logistic
    suffice train patients.csv --target temperature --ignore diagnosis --model TableEncoder+Ridge --set alpha=2
    suffice train north.csv --target diagnosis --kinds notes=text --identifier patient
    suffice train parts/ --target diagnosis --engine dask --workers 4 --out clinic.suffice
    """
    from suffice.app.cli.train import train

    train(files, out, **given).write(style)


@click.command(short_help="Answer the rows of a table, with probabilities.")
@options.model
@options.files
@options.together(*options.decided)
@click.option(
    "--refusal", metavar="LABEL", help="What to write where nothing is answered; what the model says, or nothing."
)
@click.option("--explain", is_flag=True, help="Add what speaks for each answer, strongest first, as log odds.")
@click.option(
    "--identifier", multiple=True, callback=options.names, metavar="LIST", help="More columns to show with each row."
)
@click.option(
    "--no-formulas", is_flag=True, help="In CSV, put ' before text that a spreadsheet would run as a formula."
)
@click.option(
    "--out", type=options.PATH, metavar="FILE",
    help="Where to write; standard output unless given. With --engine a new folder, a file for each part.",
)  # fmt: skip
@click.option(
    "--format", "style", type=click.Choice(["csv", "json", "table"]), default="csv", show_default=True,
    help="How to write: CSV, a JSON list with one row a line, or a table for people.",
)  # fmt: skip
@options.together(*options.engines, *options.written)
def predict(model: str, files: tuple[str, ...], **given: Any) -> None:
    """Answer every row of FILE with MODEL.

    Written are the number of the row (from 0), its identifiers, the answer, and the probability of each class. Shares
    of classes, costs and refusal are chosen here, not in training.

    \b
    suffice predict clinic.suffice new.csv
    suffice predict clinic.suffice new.csv --prior cold=0.2,flu=0.7,pneumonia=0.1 --reject 0.3 --refusal ask
    suffice predict clinic.suffice new.csv --costs costs.csv --explain --format table
    suffice predict clinic.suffice parts/ --engine spark --scheduler spark://host:7077 --out answers
    """
    from suffice.app.cli.predict import predict

    predict(model, files, **given)


@click.command(short_help="Score a model on rows whose truth is known.")
@options.model
@options.files
@click.option("--target", metavar="COL", help="The column with the truth; the one of training unless given.")
@options.together(*options.decided)
@click.option(
    "--folds", type=click.IntRange(2), metavar="K",
    help="Learn a model of the same kind and parameters anew without each of K folds, and test it on that fold.",
)  # fmt: skip
@options.plot("who is taken for whom, or what predicted numbers are off by,")
@options.together(*options.engines, options.weights, *options.written, options.style)
def evaluate(model: str, files: tuple[str, ...], style: str, **given: Any) -> None:
    """Score the answers of MODEL to the rows of FILE, each score with a 95 % interval, and count who is taken for whom.

    With shares of classes, costs or refusal, the answers are those of `predict` under them, and the mean cost is told.

    \b
    suffice evaluate clinic.suffice later.csv
    suffice evaluate clinic.suffice later.csv --costs costs.csv --reject 0.3
    suffice evaluate clinic.suffice patients.csv --folds 5
    """
    from suffice.app.cli.evaluate import evaluate

    evaluate(model, files, **given).write(style)


@click.command(short_help="Compare models on the same rows.")
@options.files
@click.option("--target", required=True, metavar="COL", help="The column to predict.")
@options.kind("one of each way to learn unless given; may be given more than once.", multiple=True)
@options.settings
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True, metavar="K", help="How many folds.")
@click.option(
    "--scoring", metavar="NAME",
    help="The score that decides: accuracy or mean_squared_error unless given; also log_loss, brier, r2, ...",
)  # fmt: skip
@options.plot("the scores with their intervals")
@options.together(*options.columns, options.weights, *options.written, options.style)
def compare(files: tuple[str, ...], style: str, **given: Any) -> None:
    """Test several models on the same folds of FILE: scores with 95 % intervals, tests of every pair, ties, time.

    Rows are read into memory. Models whose summaries add are not fitted again for each fold. Differences are tested by
    a paired t test corrected for shared training rows, and by Holm for the number of pairs; what no test tells from the
    best is a tie, and the rows on which tied models differ are listed. What --set says is set in every model that has
    such a parameter; model__name=value sets it in one.

    \b
    suffice compare patients.csv --target diagnosis --ignore patient,notes --folds 3
    suffice compare patients.csv --target diagnosis --kinds notes=text --model NaiveBayes --model Featureless
    suffice compare patients.csv --target diagnosis --ignore notes --model Tree --model Forest --set max_depth=2
    """
    from suffice.app.cli.compare import compare

    compare(files, **given).write(style)


@click.command(short_help="Find groups of rows.")
@options.files
@options.kind("TableEncoder+KMeans unless given.")
@options.settings
@click.option("--clusters", type=click.IntRange(1), metavar="K", help="How many groups, for models that must be told.")
@options.save
@options.rows_out
@options.together(options.seed, options.keep, *options.columns, *options.written)
def cluster(files: tuple[str, ...], **given: Any) -> None:
    """Find groups among the rows of FILE, and write the group of each row.

    Written are the number of the row, its identifiers, its cluster (-1 is noise) and how close it is to it; of a
    mixture its component and log density.

    \b
    suffice cluster patients.csv --clusters 3 --ignore diagnosis,notes --identifier patient --out groups.csv
    suffice cluster numbers.csv --model DBSCAN --set eps=2 --save groups.suffice
    """
    from suffice.app.cli.cluster import cluster

    cluster(files, **given)


@click.command(short_help="Map rows to other rows.")
@options.files
@options.kind("transformers with + between them.")
@options.settings
@click.option("--use", type=options.PATH, metavar="MODEL", help="Transformers of a file, in place of --model.")
@click.option("--target", metavar="COL", help="The column that transformers learn from which need one.")
@options.save
@options.rows_out
@options.together(options.seed, options.keep, *options.columns, *options.written)
def transform(files: tuple[str, ...], **given: Any) -> None:
    """Fit transformers to the rows of FILE and write the rows they give, or apply those of a file.

    \b
    suffice transform patients.csv --model TableEncoder+PCA --set n_components=2 --ignore patient --save map.suffice
    suffice transform new.csv --use map.suffice --out new.parquet
    """
    from suffice.app.cli.transform import transform

    transform(files, **given)


@click.command(short_help="Draw new rows from a model.")
@options.model
@click.option("--rows", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="How many rows.")
@click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, metavar="NUMBER", help="Which rows."
)
@options.rows_out
def sample(model: str, **given: Any) -> None:
    """Draw new rows from MODEL, which knows how its rows are distributed: naive Bayes, mixtures, kernel densities.

    \b
    suffice sample clinic.suffice --rows 3 --seed 1
    """
    from suffice.app.cli.sample import sample

    sample(model, **given)


@click.command(short_help="Make one model of several.")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, type=options.PATH)
@click.option(
    "--out", required=True, type=options.PATH, metavar="FILE", help="The file to save the model of all rows to."
)
@options.style
def merge(models: tuple[str, ...], out: str, style: str) -> None:
    """Merge models of different rows into the model that all rows together would have given. No rows are needed.

    \b
    suffice merge north.suffice south.suffice --out both.suffice
    """
    from suffice.app.cli.merge import merge

    merge(models, out).write(style)


@click.command(short_help="Take rows out of a model.")
@options.model
@options.files
@click.option("--target", metavar="COL", help="The column with the labels; the one of training unless given.")
@click.option(
    "--out", required=True, type=options.PATH, metavar="FILE", help="The file to save the model without them to."
)
@click.option("--receipt", type=options.PATH, metavar="FILE", help="The file to write a receipt to, for verify.")
@options.key
@options.together(options.weights, *options.written, options.style)
def forget(model: str, files: tuple[str, ...], out: str, style: str, **given: Any) -> None:
    """Take the rows of FILE out of MODEL: the model that never saw them. Rows it has not learned from are refused.

    \b
    suffice forget clinic.suffice withdrawn.csv --out clinic.suffice
    """
    from suffice.app.cli.forget import forget

    forget(model, files, out, **given).write(style)


@click.command(short_help="Check receipts of forgotten rows.")
@options.model
@click.argument("receipts", metavar="RECEIPT...", nargs=-1, required=True, type=options.PATH)
@options.style
def verify(model: str, receipts: tuple[str, ...], style: str) -> None:
    """Check that each RECEIPT of forget follows from the one before and that the last left MODEL.

    \b
    suffice forget clinic.suffice withdrawn.csv --out clinic.suffice --receipt withdrawn.json
    suffice verify clinic.suffice withdrawn.json
    """
    from suffice.app.cli.verify import verify

    verify(model, receipts).write(style)


@click.command(short_help="Tell what a model is.")
@options.model
@click.option("--tables", is_flag=True, help="Also everything learned: probabilities and parameters, column by column.")
@options.style
def info(model: str, tables: bool, style: str) -> None:
    """Tell what MODEL is: its kind, target, rows, classes and columns.

    \b
    suffice info clinic.suffice --tables
    """
    from suffice.app.cli.info import info

    info(model, tables).write(style)


COMMANDS = (
    describe,
    train,
    predict,
    evaluate,
    compare,
    cluster,
    transform,
    sample,
    merge,
    forget,
    verify,
    info,
)  # in the order they are used
