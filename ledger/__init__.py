"""The match ledger: rules, signed events, fold, audit, store. Everything that is not a terminal."""

__version__ = "0.1.0"
