"""The service: phones at the table, a hall that watches, over HTTP.

The only authority is the signature on an event: what the fold refuses is refused here too, and
nothing else lets anybody write. All access to the ledger goes through one thread (``clerk``).
"""
