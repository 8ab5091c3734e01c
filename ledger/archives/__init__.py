"""Archives: many matches in one file, one record a line, however large.

``lines`` reads and writes them as a stream, ``auditing`` judges them on all cores, ``findings``
keeps what is found, ``importing`` takes them into a ledger match by match.
"""
