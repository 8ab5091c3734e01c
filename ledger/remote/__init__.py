"""A match kept by a server, from the side of a laptop with a ledger of its own.

Nothing that a server says is believed: its events are verified before they are taken in, and what
it refuses stays signed in the ledger here. Everything it sends is bounded, in size and in time.
"""
