"""BLEU, chrF, significance, and word alignment."""

# "X as X" marks a name as public: for editors, type checkers and the reference (PEP 484).
from .alignment import AttentionLike as AttentionLike
from .alignment import aer as aer
from .alignment import best_shift as best_shift
from .alignment import links_from_weights as links_from_weights
from .alignment import probability_mass as probability_mass
from .bleu import MAX_NGRAM_ORDER as MAX_NGRAM_ORDER
from .bleu import SMOOTHINGS as SMOOTHINGS
from .bleu import Bleu as Bleu
from .bleu import Overlap as Overlap
from .bleu import Settings as Settings
from .bleu import brevity_penalty as brevity_penalty
from .bleu import corpus_bleu as corpus_bleu
from .bleu import ngram_counts as ngram_counts
from .bleu import overlap as overlap
from .bleu import sentence_bleu as sentence_bleu
from .chrf import corpus_chrf as corpus_chrf
from .chrf import sentence_chrf as sentence_chrf
from .significance import BootstrapComparison as BootstrapComparison
from .significance import ConfidenceInterval as ConfidenceInterval
from .significance import approximate_randomization as approximate_randomization
from .significance import bootstrap_interval as bootstrap_interval
from .significance import paired_bootstrap as paired_bootstrap
from .tokenizers import TOKENIZERS as TOKENIZERS
from .tokenizers import References as References
from .tokenizers import tokenize_13a as tokenize_13a
