"""What stands in a bundle beside the record: key files, and instructions for a stranger who has
nothing of Tabellion.

``holders`` are the keys and who has them by the record, ``shares`` where the numbers behind each
roll stand, ``recipes`` the commands, ``instructions`` the text around them. Pure.
"""
