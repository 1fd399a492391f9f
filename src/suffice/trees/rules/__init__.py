"""Rules: conjunctions of conditions that answer or abstain, and lists of them."""
