"""The ledger of learned rows, and receipts of forgotten ones."""
