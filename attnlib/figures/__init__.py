"""Figures; arrays and labels in, pictures out."""

# "X as X" marks a name as public: for editors, type checkers and the reference (PEP 484).
from .arrays import Array as Array
from .arrays import Gold as Gold
from .arrays import as_array as as_array
from .arrays import as_weights as as_weights
from .arrays import check_labels as check_labels
from .fonts import hangul_font as hangul_font
from .fonts import packaged_font as packaged_font
from .heatmap import attention_heatmap as attention_heatmap
from .heatmap import draw_heatmap as draw_heatmap
from .heatmap import source_axis as source_axis
from .heatmap import tick_positions as tick_positions
from .look import MARKERS as MARKERS
from .look import PALETTE as PALETTE
from .look import as_written as as_written
from .look import axes_of as axes_of
from .look import clip as clip
from .look import label_style as label_style
from .look import style as style
from .look import use_style as use_style
