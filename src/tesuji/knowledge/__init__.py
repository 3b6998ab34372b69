"""What is known of a game: models of its moves, learned from records, and the user's own evaluators and policies.

>>> model = tesuji.knowledge.load("go19")
>>> model.priors(position)[move]
"""

from tesuji.knowledge.evaluators import Evaluator, Policy
from tesuji.knowledge.learn import Settings, learn
from tesuji.knowledge.model import FeatureGamma, Model, load

__all__ = ["Evaluator", "FeatureGamma", "Model", "Policy", "Settings", "learn", "load"]
