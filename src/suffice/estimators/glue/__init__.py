"""Algebras and faces as scikit-learn users meet them: one thin class a combination."""
