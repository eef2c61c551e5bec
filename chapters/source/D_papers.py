# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # Papers
#
# These are the papers that the book cites, in alphabetical order, each with a reason to read it. A
# title is a link to the paper: to the [ACL Anthology](https://aclanthology.org) or to
# [arXiv](https://arxiv.org), which are free to read, otherwise to its publisher. Under each paper
# are the cells that cite it; a paper without cells is cited by the library's docstrings or by the
# programs in `studies`.
#
# A letter distinguishes papers with the same first author and year: *2014a*, *2014b*. The year is
# that of the conference or journal, so Bahdanau, Cho and Bengio, whose paper was on arXiv in 2014,
# are listed under 2015. Where only arXiv is named, the year is that of the first version there. For
# your own bibliography, the same entries are in a BibTeX file,
# [papers.bib](../attnbook/assets/papers.bib).

# %% [markdown] id="first"
# ## If you read only six
#
# Read each with the chapter in which the book builds what it describes.
#
# | paper | chapter | why |
# |---|---|---|
# | [Sutskever et al. (2014)](D_papers.ipynb#cell-id=sutskever-2014) | [03](03_seq2seq.ipynb) | short, and everything that a translator without attention needs |
# | [Bahdanau et al. (2015)](D_papers.ipynb#cell-id=bahdanau-2015) | [05](05_attention.ipynb) | where attention for translation begins, with the heat maps that everyone copies |
# | [Luong et al. (2015)](D_papers.ipynb#cell-id=luong-2015) | [05](05_attention.ipynb), [06](06_scores.ipynb) | the simpler decoder and the three scores that this book builds |
# | [Papineni et al. (2002)](D_papers.ipynb#cell-id=papineni-2002) | [09](09_bleu.ipynb) | a measure argued for step by step, and easy to read |
# | [Koehn and Knowles (2017)](D_papers.ipynb#cell-id=koehn-2017) | [08](08_beam_search.ipynb) | what such translators did badly, in six measurements |
# | [Vaswani et al. (2017)](D_papers.ipynb#cell-id=vaswani-2017) | [11](11_transformer.ipynb) | attention without recurrence |

# %% [markdown] id="papers"
# ## The papers

# %% [markdown] id="arora-2022"
# Arora, Kushal, Layla El Asri, Hareesh Bahuleyan and Jackie Cheung (2022). [Why exposure bias matters: An imitation learning perspective of error accumulation in language generation](https://aclanthology.org/2022.findings-acl.58/).
# *Findings of the Association for Computational Linguistics: ACL 2022, pages 700–710.*
# <br>**Why read it:** Exposure bias seen as imitation learning: how errors add up as a model continues its own text.
# <br>Cited in
# 07: [And in a real translator?](07_teacher_forcing.ipynb#cell-id=dogs-read).

# %% [markdown] id="arora-2023"
# Arora, Simran, Sabri Eyuboglu, Aman Timalsina, Isys Johnson, Michael Poli, James Zou, Atri Rudra and Christopher Ré (2023). [Zoology: Measuring and improving recall in efficient language models](https://arxiv.org/abs/2312.04927).
# *arXiv:2312.04927.*
# <br>**Why read it:** Recall of a value by its key, and why attention does it better than a fixed state.
# <br>Cited in
# 11: [What attention is for](11_transformer.ipynb#cell-id=lookup-text).

# %% [markdown] id="ba-2016"
# Ba, Jimmy Lei, Jamie Ryan Kiros and Geoffrey E. Hinton (2016). [Layer normalization](https://arxiv.org/abs/1607.06450).
# *arXiv:1607.06450.*
# <br>**Why read it:** The normalization of the first Transformers, made with recurrent networks in mind.
# <br>Cited in
# 11: [The residual stream](11_transformer.ipynb#cell-id=stream-text).

# %% [markdown] id="bahdanau-2015"
# Bahdanau, Dzmitry, Kyunghyun Cho and Yoshua Bengio (2015). [Neural machine translation by jointly learning to align and translate](https://arxiv.org/abs/1409.0473).
# *3rd International Conference on Learning Representations (ICLR), arXiv:1409.0473.*
# <br>**Why read it:** Where attention for translation begins, with the heat maps that everyone copies.
# <br>Cited in
# 00: [at its end](00_start.ipynb#cell-id=end); 05: [A new context at every step](05_attention.ipynb#cell-id=agree-read), [Quality by length](05_attention.ipynb#cell-id=length-read); 05b: [05b · Two decoders](05b_two_decoders.ipynb#cell-id=side-text); 06: [Five ways from two vectors to one number](06_scores.ipynb#cell-id=five), [Is general hungry for data, or is its optimizer?](06_scores.ipynb#cell-id=worlds-read); 10b: [at its end](10b_inside.ipynb#cell-id=end); C: [고맙습니다](C_notes.ipynb#cell-id=thanks).

# %% [markdown] id="bastings-2020"
# Bastings, Jasmijn and Katja Filippova (2020). [The elephant in the interpretability room: Why use attention as explanation when we have saliency methods?](https://aclanthology.org/2020.blackboxnlp-1.14/)
# *Proceedings of the Third BlackboxNLP Workshop on Analyzing and Interpreting Neural Networks for NLP, pages 149–155.*
# <br>**Why read it:** Asks what an explanation is for, and argues that saliency answers more directly than attention.
# <br>Cited in
# 05c: [What others found](05c_explanation.ipynb#cell-id=literature).

# %% [markdown] id="beck-2024"
# Beck, Maximilian, Korbinian Pöppel, Markus Spanring, Andreas Auer, Oleksandra Prudnikova, Michael Kopp, Günter Klambauer, Johannes Brandstetter and Sepp Hochreiter (2024). [xLSTM: Extended long short-term memory](https://arxiv.org/abs/2405.04517).
# *arXiv:2405.04517.*
# <br>**Why read it:** How far an LSTM gets today, with exponential gates and a memory that is a matrix.
# <br>Cited in
# 02: [What became of recurrent networks?](02_lstm.ipynb#cell-id=today).

# %% [markdown] id="bengio-1994"
# Bengio, Yoshua, Patrice Simard and Paolo Frasconi (1994). [Learning long-term dependencies with gradient descent is difficult](https://doi.org/10.1109/72.279181).
# *IEEE Transactions on Neural Networks 5(2), pages 157–166.*
# <br>**Why read it:** The argument that what remembers well cannot easily be learned by gradients, made carefully.
# <br>Cited in
# 01b: [How far does a gradient reach?](01b_gradients.ipynb#cell-id=reach-text).

# %% [markdown] id="bengio-2015"
# Bengio, Samy, Oriol Vinyals, Navdeep Jaitly and Noam Shazeer (2015). [Scheduled sampling for sequence prediction with recurrent neural networks](https://arxiv.org/abs/1506.03099).
# *Advances in Neural Information Processing Systems 28, pages 1171–1179, arXiv:1506.03099.*
# <br>**Why read it:** The proposal of scheduled sampling, short and clear; read Huszár after it.
# <br>Cited in
# 07b: [Its own predictions in training](07b_scheduled_sampling.ipynb#cell-id=mix-text), [Does it help a translator?](07b_scheduled_sampling.ipynb#cell-id=captions-read).

# %% [markdown] id="bibal-2022"
# Bibal, Adrien, Rémi Cardon, David Alfter, Rodrigo Wilkens, Xiaoou Wang, Thomas François and Patrick Watrin (2022). [Is attention explanation? An introduction to the debate](https://aclanthology.org/2022.acl-long.269/).
# *Proceedings of the 60th Annual Meeting of the Association for Computational Linguistics (Volume 1: Long Papers), pages 3889–3900.*
# <br>**Why read it:** The whole debate on attention as explanation, sorted, if you want to read only one paper on it.
# <br>Cited in
# 05c: [What others found](05c_explanation.ipynb#cell-id=literature).

# %% [markdown] id="britz-2017"
# Britz, Denny, Anna Goldie, Minh-Thang Luong and Quoc Le (2017). [Massive exploration of neural machine translation architectures](https://aclanthology.org/D17-1151/).
# *Proceedings of the 2017 Conference on Empirical Methods in Natural Language Processing, pages 1442–1451.*
# <br>**Why read it:** What matters in a recurrent translator and what does not, measured at great expense.
# <br>Cited in
# 06: [Real captions](06_scores.ipynb#cell-id=captions-read).

# %% [markdown] id="brown-1993"
# Brown, Peter F., Stephen A. Della Pietra, Vincent J. Della Pietra and Robert L. Mercer (1993). [The mathematics of statistical machine translation: Parameter estimation](https://aclanthology.org/J93-2003/).
# *Computational Linguistics 19(2), pages 263–311.*
# <br>**Why read it:** Word alignment from counting alone, derived step by step; the models that attention is compared with.
# <br>Cited in
# 05: [Compared with what?](05_attention.ipynb#cell-id=baselines-text).

# %% [markdown] id="brown-2020"
# Brown, Tom B., Benjamin Mann, Nick Ryder, Melanie Subbiah, Jared Kaplan, and others (2020). [Language models are few-shot learners](https://arxiv.org/abs/2005.14165).
# *Advances in Neural Information Processing Systems 33, pages 1877–1901, arXiv:2005.14165.*
# <br>**Why read it:** A Transformer made very large, GPT-3: its sizes, and tasks from a few examples in its input.
# <br>Cited in
# 11b: [The same stack, token by token](11b_translation.ipynb#cell-id=cached-read).

# %% [markdown] id="callison-burch-2006"
# Callison-Burch, Chris, Miles Osborne and Philipp Koehn (2006). [Re-evaluating the role of Bleu in machine translation research](https://aclanthology.org/E06-1032/).
# *11th Conference of the European Chapter of the Association for Computational Linguistics, pages 249–256.*
# <br>**Why read it:** Shows how many translations of one sentence get the same BLEU, and what that hides.
# <br>Cited in
# 09b: [When to trust it](09b_confidence.ipynb#cell-id=blind-read).

# %% [markdown] id="chen-1999"
# Chen, Stanley F. and Joshua Goodman (1999). [An empirical study of smoothing techniques for language modeling](https://doi.org/10.1006/csla.1999.0128).
# *Computer Speech and Language 13(4), pages 359–394.*
# <br>**Why read it:** The ways to mix shorter and longer counts, compared; Kneser–Ney smoothing wins.
# <br>Cited in
# 01: [The training loop](01_rnn.ipynb#cell-id=writer-read); 11: [Compared with chapter 1, and with counting](11_transformer.ipynb#cell-id=gpt-record-read).

# %% [markdown] id="chen-2014"
# Chen, Boxing and Colin Cherry (2014). [A systematic comparison of smoothing techniques for sentence-level BLEU](https://aclanthology.org/W14-3346/).
# *Proceedings of the Ninth Workshop on Statistical Machine Translation, pages 362–367.*
# <br>**Why read it:** Seven ways to smooth BLEU for one sentence, compared with people's judgments.
# <br>Cited in
# 09: [Which mean?](09_bleu.ipynb#cell-id=orders-read).

# %% [markdown] id="chen-2018"
# Chen, Mia Xu, Orhan Firat, Ankur Bapna, Melvin Johnson, Wolfgang Macherey, and others (2018). [The best of both worlds: Combining recent advances in neural machine translation](https://aclanthology.org/P18-1008/).
# *Proceedings of the 56th Annual Meeting of the Association for Computational Linguistics, pages 76–86.*
# <br>**Why read it:** Recurrent translators trained with a Transformer's recipe: how much of a gap is the recipe.
# <br>Cited in
# 11b: [On real captions](11b_translation.ipynb#cell-id=captions-read).

# %% [markdown] id="cho-2014a"
# Cho, Kyunghyun, Bart van Merriënboer, Caglar Gulcehre, Dzmitry Bahdanau, Fethi Bougares, Holger Schwenk and Yoshua Bengio (2014a). [Learning phrase representations using RNN encoder–decoder for statistical machine translation](https://aclanthology.org/D14-1179/).
# *Proceedings of the 2014 Conference on Empirical Methods in Natural Language Processing, pages 1724–1734.*
# <br>**Why read it:** The encoder–decoder and the GRU, in the paper that introduced both.
# <br>Cited in
# 03: [An encoder, a decoder, and one vector between](03_seq2seq.ipynb#cell-id=parts-text); 05: [The training](05_attention.ipynb#cell-id=without-text); 05b: [The recurrent step f: a GRU](05b_two_decoders.ipynb#cell-id=gru-text).

# %% [markdown] id="cho-2014b"
# Cho, Kyunghyun, Bart van Merriënboer, Dzmitry Bahdanau and Yoshua Bengio (2014b). [On the properties of neural machine translation: Encoder–decoder approaches](https://aclanthology.org/W14-4012/).
# *Proceedings of SSST-8, Eighth Workshop on Syntax, Semantics and Structure in Statistical Translation, pages 103–111.*
# <br>**Why read it:** The curve of quality over length that attention was to level.
# <br>Cited in
# 03: [An encoder, a decoder, and one vector between](03_seq2seq.ipynb#cell-id=parts-text); 03b: [And sentences?](03b_bottleneck.ipynb#cell-id=ko-read); 05: [The problem: one vector for any sentence](05_attention.ipynb#cell-id=bottleneck-read).

# %% [markdown] id="clark-2011"
# Clark, Jonathan H., Chris Dyer, Alon Lavie and Noah A. Smith (2011). [Better hypothesis testing for statistical machine translation: Controlling for optimizer instability](https://aclanthology.org/P11-2031/).
# *Proceedings of the 49th Annual Meeting of the Association for Computational Linguistics: Human Language Technologies, pages 176–181.*
# <br>**Why read it:** Why one training of each system is not enough for a comparison.
# <br>Cited in
# 09b: [Another training](09b_confidence.ipynb#cell-id=seeds-read).

# %% [markdown] id="dao-2022"
# Dao, Tri, Daniel Y. Fu, Stefano Ermon, Atri Rudra and Christopher Ré (2022). [FlashAttention: Fast and memory-efficient exact attention with IO-awareness](https://arxiv.org/abs/2205.14135).
# *Advances in Neural Information Processing Systems 35, pages 16344–16359, arXiv:2205.14135.*
# <br>**Why read it:** Exact attention that never writes its matrix of weights to memory, and why that is what costs.
# <br>Cited in
# 11b: [What it costs with length](11b_translation.ipynb#cell-id=cost-text).

# %% [markdown] id="devlin-2019"
# Devlin, Jacob, Ming-Wei Chang, Kenton Lee and Kristina Toutanova (2019). [BERT: Pre-training of deep bidirectional transformers for language understanding](https://aclanthology.org/N19-1423/).
# *Proceedings of the 2019 Conference of the North American Chapter of the Association for Computational Linguistics: Human Language Technologies, Volume 1, pages 4171–4186.*
# <br>**Why read it:** A Transformer that only reads, trained to fill gaps: BERT.
# <br>Cited in
# 11: [BERT: both sides, and no leak](11_transformer.ipynb#cell-id=unmasked-fails-read).

# %% [markdown] id="ding-2019"
# Ding, Shuoyang, Hainan Xu and Philipp Koehn (2019). [Saliency-driven word alignment interpretation for neural machine translation](https://aclanthology.org/W19-5201/).
# *Proceedings of the Fourth Conference on Machine Translation (Volume 1: Research Papers), pages 1–12.*
# <br>**Why read it:** Finds better alignments in a translator by gradients than by its attention.
# <br>Cited in
# 05c: [What others found](05c_explanation.ipynb#cell-id=literature).

# %% [markdown] id="dror-2018"
# Dror, Rotem, Gili Baumer, Segev Shlomov and Roi Reichart (2018). [The hitchhiker's guide to testing statistical significance in natural language processing](https://aclanthology.org/P18-1128/).
# *Proceedings of the 56th Annual Meeting of the Association for Computational Linguistics (Volume 1: Long Papers), pages 1383–1392.*
# <br>**Why read it:** Which significance test for which measure: a guide for the whole field.
# <br>Cited in
# 09b: [When neither is better](09b_confidence.ipynb#cell-id=null-read).

# %% [markdown] id="eikema-2020"
# Eikema, Bryan and Wilker Aziz (2020). [Is MAP decoding all you need? The inadequacy of the mode in neural machine translation](https://aclanthology.org/2020.coling-main.398/).
# *Proceedings of the 28th International Conference on Computational Linguistics, pages 4506–4520.*
# <br>**Why read it:** Why the most probable translation is the wrong thing to look for.
# <br>Cited in
# 08b: [The answer that the others agree with](08b_decoding.ipynb#cell-id=risk-text).

# %% [markdown] id="elliott-2016"
# Elliott, Desmond, Stella Frank, Khalil Sima'an and Lucia Specia (2016). [Multi30K: Multilingual English-German image descriptions](https://aclanthology.org/W16-3210/).
# *Proceedings of the 5th Workshop on Vision and Language, pages 70–74.*
# <br>**Why read it:** How the captions that this book translates were collected.
# <br>Cited in
# 00: [at its end](00_start.ipynb#cell-id=end); 10: [1 · The sentences](10_translator.ipynb#cell-id=corpus-text).

# %% [markdown] id="elman-1990"
# Elman, Jeffrey L. (1990). [Finding structure in time](https://doi.org/10.1207/s15516709cog1402_1).
# *Cognitive Science 14(2), pages 179–211.*
# <br>**Why read it:** A small recurrent network finds words and word classes by itself; still a model of how to look inside.
# <br>Cited in
# 01: [Guessing what comes next](01_rnn.ipynb#cell-id=language-text).

# %% [markdown] id="fan-2018"
# Fan, Angela, Mike Lewis and Yann Dauphin (2018). [Hierarchical neural story generation](https://aclanthology.org/P18-1082/).
# *Proceedings of the 56th Annual Meeting of the Association for Computational Linguistics, pages 889–898.*
# <br>**Why read it:** Top-k sampling, and stories that need it.
# <br>Cited in
# 08b: [Four ways to change a distribution before the draw](08b_decoding.ipynb#cell-id=sampling-text).

# %% [markdown] id="feng-2024"
# Feng, Leo, Frederick Tung, Mohamed Osama Ahmed, Yoshua Bengio and Hossein Hajimirsadeghi (2024). [Were RNNs all we needed?](https://arxiv.org/abs/2410.01201)
# *arXiv:2410.01201.*
# <br>**Why read it:** Recurrent networks without a loop in training: how little a GRU needs to be trained in parallel.
# <br>Cited in
# 02: [What became of recurrent networks?](02_lstm.ipynb#cell-id=today).

# %% [markdown] id="fernandes-2022"
# Fernandes, Patrick, António Farinhas, Ricardo Rei, José G. C. de Souza, Perez Ogayo, Graham Neubig and André F. T. Martins (2022). [Quality-aware decoding for neural machine translation](https://arxiv.org/abs/2205.00978).
# *arXiv:2205.00978.*
# <br>**Why read it:** Choosing among many translations by a learned metric, compared in many ways.
# <br>Cited in
# 08b: [The utility sets the length](08b_decoding.ipynb#cell-id=risk-recorded-read).

# %% [markdown] id="freitag-2022"
# Freitag, Markus, Ricardo Rei, Nitika Mathur, Chi-kiu Lo, Craig Stewart, Eleftherios Avramidis, Tom Kocmi, George Foster, Alon Lavie and André F. T. Martins (2022). [Results of WMT22 metrics shared task: Stop using BLEU – neural metrics are better and more robust](https://aclanthology.org/2022.wmt-1.2/).
# *Proceedings of the Seventh Conference on Machine Translation (WMT), pages 46–68.*
# <br>**Why read it:** A year of metrics compared with expert raters; the case against BLEU.
# <br>Cited in
# 09b: [Would people agree?](09b_confidence.ipynb#cell-id=people-text).

# %% [markdown] id="gers-2000"
# Gers, Felix A., Jürgen Schmidhuber and Fred Cummins (2000). [Learning to forget: Continual prediction with LSTM](https://doi.org/10.1162/089976600300015015).
# *Neural Computation 12(10), pages 2451–2471.*
# <br>**Why read it:** The forget gate, and why an LSTM needs one.
# <br>Cited in
# 02: [How long does it remember before it has learned anything?](02_lstm.ipynb#cell-id=half-life-read); 02b: [at its end](02b_long_memory.ipynb#cell-id=end).

# %% [markdown] id="ghader-2017"
# Ghader, Hamidreza and Christof Monz (2017). [What does attention in neural machine translation pay attention to?](https://aclanthology.org/I17-1004/)
# *Proceedings of the Eighth International Joint Conference on Natural Language Processing (Volume 1: Long Papers), pages 30–39.*
# <br>**Why read it:** Attention compared with word alignment by part of speech: where they agree and where not.
# <br>Cited in
# 05c: [1. Do good translators have good maps?](05c_explanation.ipynb#cell-id=alignment-read).

# %% [markdown] id="goyal-2017"
# Goyal, Kartik, Chris Dyer and Taylor Berg-Kirkpatrick (2017). [Differentiable scheduled sampling for credit assignment](https://aclanthology.org/P17-2058/).
# *Proceedings of the 55th Annual Meeting of the Association for Computational Linguistics (Volume 2: Short Papers), pages 366–371.*
# <br>**Why read it:** Scheduled sampling through which a gradient can flow.
# <br>Cited in
# 07: [at its end](07_teacher_forcing.ipynb#cell-id=end).

# %% [markdown] id="goyal-2022"
# Goyal, Naman, Cynthia Gao, Vishrav Chaudhary, Peng-Jen Chen, Guillaume Wenzek, Da Ju, Sanjana Krishnan, Marc'Aurelio Ranzato, Francisco Guzmán and Angela Fan (2022). [The Flores-101 evaluation benchmark for low-resource and multilingual machine translation](https://arxiv.org/abs/2106.03193).
# *Transactions of the Association for Computational Linguistics, arXiv:2106.03193.*
# <br>**Why read it:** What it takes to make one test set in a hundred languages; also a BLEU on subwords.
# <br>Cited in
# 09: [Cut in the same way](09_bleu.ipynb#cell-id=tokens-text).

# %% [markdown] id="graham-2014"
# Graham, Yvette, Nitika Mathur and Timothy Baldwin (2014). [Randomized significance tests in machine translation](https://aclanthology.org/W14-3333/).
# *Proceedings of the Ninth Workshop on Statistical Machine Translation, pages 266–274.*
# <br>**Why read it:** Randomization and bootstrap compared on real systems: they rarely disagree.
# <br>Cited in
# 09b: [When neither is better](09b_confidence.ipynb#cell-id=null-read).

# %% [markdown] id="graves-2012"
# Graves, Alex (2012). [Sequence transduction with recurrent neural networks](https://arxiv.org/abs/1211.3711).
# *arXiv:1211.3711.*
# <br>**Why read it:** Sequence transduction without attention: all alignments summed, and a beam search.
# <br>Cited in
# 08: [at its end](08_beam_search.ipynb#cell-id=end).

# %% [markdown] id="graves-2013"
# Graves, Alex (2013). [Generating sequences with recurrent neural networks](https://arxiv.org/abs/1308.0850).
# *arXiv:1308.0850.*
# <br>**Why read it:** Handwriting by a network with a soft window that it moves: attention before attention.
# <br>Cited in
# 01: [at its end](01_rnn.ipynb#cell-id=end); 05b: [Bahdanau's decoder, equation by equation](05b_two_decoders.ipynb#cell-id=equations); C: [책이 다르게 본 것](C_notes.ipynb#cell-id=otherwise).

# %% [markdown] id="graves-2014"
# Graves, Alex, Greg Wayne and Ivo Danihelka (2014). [Neural Turing machines](https://arxiv.org/abs/1410.5401).
# *arXiv:1410.5401.*
# <br>**Why read it:** Memory that is read by content, with cosine, softmax and a key strength.
# <br>Cited in
# 04: [Length instead of a temperature](04_keys_and_values.ipynb#cell-id=length-read).

# %% [markdown] id="greff-2017"
# Greff, Klaus, Rupesh K. Srivastava, Jan Koutník, Bas R. Steunebrink and Jürgen Schmidhuber (2017). [LSTM: A search space odyssey](https://doi.org/10.1109/TNNLS.2016.2582924).
# *IEEE Transactions on Neural Networks and Learning Systems 28(10), pages 2222–2232.*
# <br>**Why read it:** Every part of an LSTM taken out in turn: which of them matter.
# <br>Cited in
# 02b: [at its end](02b_long_memory.ipynb#cell-id=end).

# %% [markdown] id="gu-2023"
# Gu, Albert and Tri Dao (2023). [Mamba: Linear-time sequence modeling with selective state spaces](https://arxiv.org/abs/2312.00752).
# *arXiv:2312.00752.*
# <br>**Why read it:** The state space model that competes with Transformers: it carries a state, like a recurrent network.
# <br>Cited in
# 02: [What became of recurrent networks?](02_lstm.ipynb#cell-id=today).

# %% [markdown] id="haviv-2022"
# Haviv, Adi, Ori Ram, Ofir Press, Peter Izsak and Omer Levy (2022). [Transformer language models without positional encodings still learn positional information](https://aclanthology.org/2022.findings-emnlp.99/).
# *Findings of the Association for Computational Linguistics: EMNLP 2022, pages 1382–1390.*
# <br>**Why read it:** How much of its position a language model learns from the causal mask alone.
# <br>Cited in
# 11: [Compared with chapter 1, and with counting](11_transformer.ipynb#cell-id=gpt-record-read).

# %% [markdown] id="he-2016"
# He, Kaiming, Xiangyu Zhang, Shaoqing Ren and Jian Sun (2016). [Deep residual learning for image recognition](https://doi.org/10.1109/CVPR.2016.90).
# *IEEE Conference on Computer Vision and Pattern Recognition (CVPR), pages 770–778.*
# <br>**Why read it:** The residual connection, and why deep networks train with it.
# <br>Cited in
# 02: [Against autograd](02_lstm.ipynb#cell-id=residual); 11: [Why add, and why normalize first?](11_transformer.ipynb#cell-id=depth-read).

# %% [markdown] id="he-2021"
# He, Tianxing, Jingzhao Zhang, Zhiming Zhou and James Glass (2021). [Exposure bias versus self-recovery: Are distortions really incremental for autoregressive text generation?](https://aclanthology.org/2021.emnlp-main.415/)
# *Proceedings of the 2021 Conference on Empirical Methods in Natural Language Processing, pages 5087–5102.*
# <br>**Why read it:** Measures whether exposure bias really grows along a text, and finds recovery.
# <br>Cited in
# 07: [And in a real translator?](07_teacher_forcing.ipynb#cell-id=dogs-read).

# %% [markdown] id="henry-2020"
# Henry, Alex, Prudhvi Raj Dachapally, Shubham Shantaram Pawar and Yuxuan Chen (2020). [Query-key normalization for Transformers](https://aclanthology.org/2020.findings-emnlp.379/).
# *Findings of the Association for Computational Linguistics: EMNLP 2020, pages 4246–4253.*
# <br>**Why read it:** Normalized queries and keys with a learned scale, for translators with little data.
# <br>Cited in
# 06: [A right angle](06_scores.ipynb#cell-id=angle-read).

# %% [markdown] id="hochreiter-1991"
# Hochreiter, Sepp (1991). [Untersuchungen zu dynamischen neuronalen Netzen](https://people.idsia.ch/~juergen/SeppHochreiter1991ThesisAdvisorSchmidhuber.pdf).
# *Diploma thesis, Technische Universität München.*
# <br>**Why read it:** The first analysis of vanishing gradients, in German.
# <br>Cited in
# 01b: [How far does a gradient reach?](01b_gradients.ipynb#cell-id=reach-text).

# %% [markdown] id="hochreiter-1997"
# Hochreiter, Sepp and Jürgen Schmidhuber (1997). [Long short-term memory](https://doi.org/10.1162/neco.1997.9.8.1735).
# *Neural Computation 9(8), pages 1735–1780.*
# <br>**Why read it:** The LSTM; read it for the constant error carousel, before the forget gate came.
# <br>Cited in
# 02: [A memory of one number](02_lstm.ipynb#cell-id=one-number-text); 02b: [The other bias](02b_long_memory.ipynb#cell-id=other-bias-text).

# %% [markdown] id="holtzman-2020"
# Holtzman, Ari, Jan Buys, Li Du, Maxwell Forbes and Yejin Choi (2020). [The curious case of neural text degeneration](https://arxiv.org/abs/1904.09751).
# *8th International Conference on Learning Representations (ICLR), arXiv:1904.09751.*
# <br>**Why read it:** Nucleus sampling, and pictures of what is wrong with likely text.
# <br>Cited in
# 08b: [Probable text is dull](08b_decoding.ipynb#cell-id=degenerate-read), [Four ways to change a distribution before the draw](08b_decoding.ipynb#cell-id=sampling-text).

# %% [markdown] id="hsu-2024"
# Hsu, Pin-Lun, Yun Dai, Vignesh Kothapalli, Qingquan Song, Shao Tang, Siyu Zhu, Steven Shimizu, Shivam Sahni, Haowen Ning, Yanning Chen and Zhipeng Wang (2024). [Liger Kernel: Efficient Triton kernels for LLM training](https://arxiv.org/abs/2410.10989).
# *arXiv:2410.10989.*
# <br>**Why read it:** How training's memory is saved when the loss is computed in pieces.

# %% [markdown] id="huang-2017"
# Huang, Liang, Kai Zhao and Mingbo Ma (2017). [When to finish? Optimal beam search for neural text generation (modulo beam size)](https://aclanthology.org/D17-1227/).
# *Proceedings of the 2017 Conference on Empirical Methods in Natural Language Processing, pages 2134–2139.*
# <br>**Why read it:** A stopping rule for beam search that is provably optimal.
# <br>Cited in
# 08: [Rank them yourself](08_beam_search.ipynb#cell-id=stop-text).

# %% [markdown] id="huszar-2015"
# Huszár, Ferenc (2015). [How (not) to train your generative model: Scheduled sampling, likelihood, adversary?](https://arxiv.org/abs/1511.05101)
# *arXiv:1511.05101.*
# <br>**Why read it:** A short argument that scheduled sampling has the wrong optimum.
# <br>Cited in
# 07b: [What does it teach, given all the time in the world?](07b_scheduled_sampling.ipynb#cell-id=improper-text).

# %% [markdown] id="jacovi-2020"
# Jacovi, Alon and Yoav Goldberg (2020). [Towards faithfully interpretable NLP systems: How should we define and evaluate faithfulness?](https://aclanthology.org/2020.acl-main.386/)
# *Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics, pages 4198–4205.*
# <br>**Why read it:** What "faithful" should mean, before anyone measures it.
# <br>Cited in
# 05c: [05c · Is the map an explanation?](05c_explanation.ipynb#cell-id=same-but-text).

# %% [markdown] id="jain-2019"
# Jain, Sarthak and Byron C. Wallace (2019). [Attention is not explanation](https://aclanthology.org/N19-1357/).
# *Proceedings of the 2019 Conference of the North American Chapter of the Association for Computational Linguistics: Human Language Technologies, pages 3543–3556.*
# <br>**Why read it:** The experiments with other weights that began the debate.
# <br>Cited in
# 05c: [4. What if the weights were different?](05c_explanation.ipynb#cell-id=shuffle-text), [What others found](05c_explanation.ipynb#cell-id=literature).

# %% [markdown] id="jozefowicz-2015"
# Jozefowicz, Rafal, Wojciech Zaremba and Ilya Sutskever (2015). [An empirical exploration of recurrent network architectures](https://proceedings.mlr.press/v37/jozefowicz15.html).
# *Proceedings of the 32nd International Conference on Machine Learning (PMLR 37), pages 2342–2350.*
# <br>**Why read it:** Thousands of recurrent cells searched; an LSTM with a forget bias of 1 holds its own.
# <br>Cited in
# 02: [How long does it remember before it has learned anything?](02_lstm.ipynb#cell-id=half-life-read).

# %% [markdown] id="kalchbrenner-2013"
# Kalchbrenner, Nal and Phil Blunsom (2013). [Recurrent continuous translation models](https://aclanthology.org/D13-1176/).
# *Proceedings of the 2013 Conference on Empirical Methods in Natural Language Processing, pages 1700–1709.*
# <br>**Why read it:** A neural translator from before encoders and decoders were LSTMs.
# <br>Cited in
# 03: [An encoder, a decoder, and one vector between](03_seq2seq.ipynb#cell-id=parts-text).

# %% [markdown] id="karpathy-2015"
# Karpathy, Andrej, Justin Johnson and Fei-Fei Li (2015). [Visualizing and understanding recurrent networks](https://arxiv.org/abs/1506.02078).
# *arXiv:1506.02078.*
# <br>**Why read it:** Units that count, open quotes and track line ends, in networks that read characters.
# <br>Cited in
# 02: [Where is it kept?](02_lstm.ipynb#cell-id=transplant-record-read).

# %% [markdown] id="kim-2016"
# Kim, Yoon and Alexander M. Rush (2016). [Sequence-level knowledge distillation](https://aclanthology.org/D16-1139/).
# *Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing, pages 1317–1327.*
# <br>**Why read it:** A small translator learns from what a large one wrote; how the one in this book was made.
# <br>Cited in
# 10b: [10b · Inside the translator](10b_inside.ipynb#cell-id=title).

# %% [markdown] id="kingma-2015"
# Kingma, Diederik P. and Jimmy Ba (2015). [Adam: A method for stochastic optimization](https://arxiv.org/abs/1412.6980).
# *3rd International Conference on Learning Representations (ICLR), arXiv:1412.6980.*
# <br>**Why read it:** The optimizer that nearly everything here is trained with, and its update in half a page.
# <br>Cited in
# 01: [Learning: downhill, step by step](01_rnn.ipynb#cell-id=optimizer-text); 10: [5 · Training](10_translator.ipynb#cell-id=train-text).

# %% [markdown] id="kobayashi-2020"
# Kobayashi, Goro, Tatsuki Kuribayashi, Sho Yokoi and Kentaro Inui (2020). [Attention is not only a weight: Analyzing Transformers with vector norms](https://aclanthology.org/2020.emnlp-main.574/).
# *Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing, pages 7057–7075.*
# <br>**Why read it:** Weights times the length of what they weigh: a better map than weights alone.
# <br>Cited in
# 05c: [2. What is in the state that it looks at?](05c_explanation.ipynb#cell-id=norm-text).

# %% [markdown] id="kocmi-2024"
# Kocmi, Tom, Vilém Zouhar, Christian Federmann and Matt Post (2024). [Navigating the metrics maze: Reconciling score magnitudes and accuracies](https://aclanthology.org/2024.acl-long.110/).
# *Proceedings of the 62nd Annual Meeting of the Association for Computational Linguistics, pages 1999–2014.*
# <br>**Why read it:** How large a difference of a metric must be before people notice it.
# <br>Cited in
# 09b: [Would people agree?](09b_confidence.ipynb#cell-id=people-text).

# %% [markdown] id="koehn-2004"
# Koehn, Philipp (2004). [Statistical significance tests for machine translation evaluation](https://aclanthology.org/W04-3250/).
# *Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing, pages 388–395.*
# <br>**Why read it:** The paired bootstrap for BLEU, and how often it is right.
# <br>Cited in
# 09b: [The bootstrap: other test sets from the one you have](09b_confidence.ipynb#cell-id=bootstrap-text).

# %% [markdown] id="koehn-2017"
# Koehn, Philipp and Rebecca Knowles (2017). [Six challenges for neural machine translation](https://aclanthology.org/W17-3204/).
# *Proceedings of the First Workshop on Neural Machine Translation, pages 28–39.*
# <br>**Why read it:** What such translators did badly, in six measurements.
# <br>Cited in
# 05: [Quality by length](05_attention.ipynb#cell-id=length-read); 05c: [1. Do good translators have good maps?](05c_explanation.ipynb#cell-id=alignment-read); 08: [Paying for length](08_beam_search.ipynb#cell-id=curse-read); 10b: [Is that alignment?](10b_inside.ipynb#cell-id=alignment-text).

# %% [markdown] id="kulikov-2022"
# Kulikov, Ilia, Maksim Eremeev and Kyunghyun Cho (2022). [Characterizing and addressing the issue of oversmoothing in neural autoregressive sequence modeling](https://aclanthology.org/2022.aacl-main.82/).
# *Proceedings of the 2nd Conference of the Asia-Pacific Chapter of the Association for Computational Linguistics and the 12th International Joint Conference on Natural Language Processing, arXiv:2112.08914.*
# <br>**Why read it:** Why short outputs are too probable, and a loss against it.
# <br>Cited in
# 08: [A model that is right in 98 of 100 cases](08_beam_search.ipynb#cell-id=synonyms-read).

# %% [markdown] id="kumar-2004"
# Kumar, Shankar and William Byrne (2004). [Minimum Bayes-risk decoding for statistical machine translation](https://aclanthology.org/N04-1022/).
# *Proceedings of the Human Language Technology Conference of the North American Chapter of the Association for Computational Linguistics, pages 169–176.*
# <br>**Why read it:** Choose the translation with the least expected loss: minimum Bayes risk for translation.
# <br>Cited in
# 08b: [The answer that the others agree with](08b_decoding.ipynb#cell-id=risk-text).

# %% [markdown] id="lamb-2016"
# Lamb, Alex, Anirudh Goyal, Ying Zhang, Saizheng Zhang, Aaron Courville and Yoshua Bengio (2016). [Professor forcing: A new algorithm for training recurrent networks](https://arxiv.org/abs/1610.09038).
# *Advances in Neural Information Processing Systems 29, pages 4601–4609, arXiv:1610.09038.*
# <br>**Why read it:** Another answer to exposure bias: make free running look like teacher forcing.
# <br>Cited in
# 07b: [at its end](07b_scheduled_sampling.ipynb#cell-id=end).

# %% [markdown] id="larochelle-2010"
# Larochelle, Hugo and Geoffrey E. Hinton (2010). [Learning to combine foveal glimpses with a third-order Boltzmann machine](https://proceedings.neurips.cc/paper_files/paper/2010/file/677e09724f0e2df9b6c000b75b5da10d-Paper.pdf).
# *Advances in Neural Information Processing Systems 23, pages 1243–1251.*
# <br>**Why read it:** Glimpses at parts of an image, combined: looking around before neural translation did.
# <br>Cited in
# 05b: [Bahdanau's decoder, equation by equation](05b_two_decoders.ipynb#cell-id=equations).

# %% [markdown] id="le-2015"
# Le, Quoc V., Navdeep Jaitly and Geoffrey E. Hinton (2015). [A simple way to initialize recurrent networks of rectified linear units](https://arxiv.org/abs/1504.00941).
# *arXiv:1504.00941.*
# <br>**Why read it:** The identity as a recurrent matrix, with rectified units: long memory without gates.
# <br>Cited in
# 01b: [Open experiment: remember the first symbol](01b_gradients.ipynb#cell-id=open-experiment-text); 02b: [The adding problem](02b_long_memory.ipynb#cell-id=adding-read).

# %% [markdown] id="lin-2004"
# Lin, Chin-Yew and Franz Josef Och (2004). [ORANGE: A method for evaluating automatic evaluation metrics for machine translation](https://aclanthology.org/C04-1072/).
# *COLING 2004: Proceedings of the 20th International Conference on Computational Linguistics, pages 501–507.*
# <br>**Why read it:** Metrics ranked by how they rank references; add-one smoothing of BLEU.
# <br>Cited in
# 09: [Which mean?](09_bleu.ipynb#cell-id=orders-read).

# %% [markdown] id="luong-2015"
# Luong, Minh-Thang, Hieu Pham and Christopher D. Manning (2015). [Effective approaches to attention-based neural machine translation](https://aclanthology.org/D15-1166/).
# *Proceedings of the 2015 Conference on Empirical Methods in Natural Language Processing, pages 1412–1421.*
# <br>**Why read it:** The simpler decoder and the three scores that this book builds.
# <br>Cited in
# 05: [From the context to a word](05_attention.ipynb#cell-id=s-tilde-text); 05b: [05b · Two decoders](05b_two_decoders.ipynb#cell-id=side-text); 06: [Five ways from two vectors to one number](06_scores.ipynb#cell-id=five); 09: [What does a BLEU of 47 look like?](09_bleu.ipynb#cell-id=levels-read); 10: [4 · The model](10_translator.ipynb#cell-id=model-text); 10b: [at its end](10b_inside.ipynb#cell-id=end); C: [노트 002의 클래스](C_notes.ipynb#cell-id=forward-text), [노트의 기호와 책의 기호](C_notes.ipynb#cell-id=letters).

# %% [markdown] id="marie-2021"
# Marie, Benjamin, Atsushi Fujita and Raphael Rubino (2021). [Scientific credibility of machine translation research: A meta-evaluation of 769 papers](https://aclanthology.org/2021.acl-long.566/).
# *Proceedings of the 59th Annual Meeting of the Association for Computational Linguistics and the 11th International Joint Conference on Natural Language Processing, pages 7297–7306.*
# <br>**Why read it:** What hundreds of papers did wrong when they compared BLEU.
# <br>Cited in
# 09b: [How to report a comparison](09b_confidence.ipynb#cell-id=report-text).

# %% [markdown] id="mathur-2020"
# Mathur, Nitika, Timothy Baldwin and Trevor Cohn (2020). [Tangled up in BLEU: Reevaluating the evaluation of automatic machine translation evaluation metrics](https://aclanthology.org/2020.acl-main.448/).
# *Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics, pages 4984–4997.*
# <br>**Why read it:** How a single outlier makes a metric look good.
# <br>Cited in
# 09b: [Would people agree?](09b_confidence.ipynb#cell-id=people-text).

# %% [markdown] id="meister-2020"
# Meister, Clara, Ryan Cotterell and Tim Vieira (2020). [If beam search is the answer, what was the question?](https://aclanthology.org/2020.emnlp-main.170/)
# *Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing, pages 2173–2185.*
# <br>**Why read it:** What beam search adds to probability, and why it is welcome: evenly spread information.
# <br>Cited in
# 08: [A model that is right in 98 of 100 cases](08_beam_search.ipynb#cell-id=synonyms-read).

# %% [markdown] id="michel-2019"
# Michel, Paul, Omer Levy and Graham Neubig (2019). [Are sixteen heads really better than one?](https://arxiv.org/abs/1905.10650)
# *Advances in Neural Information Processing Systems 32, pages 14014–14024, arXiv:1905.10650.*
# <br>**Why read it:** Many heads can be taken out after training at little cost.
# <br>Cited in
# 11: [Is one head not enough?](11_transformer.ipynb#cell-id=neighbours-read).

# %% [markdown] id="mihaylova-2019"
# Mihaylova, Tsvetomila and André F. T. Martins (2019). [Scheduled sampling for Transformers](https://aclanthology.org/P19-2049/).
# *Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics: Student Research Workshop, pages 351–356.*
# <br>**Why read it:** Scheduled sampling where all positions are read at once, and what it brings.
# <br>Cited in
# 07b: [Does it help a translator?](07b_scheduled_sampling.ipynb#cell-id=captions-read).

# %% [markdown] id="mikolov-2010"
# Mikolov, Tomáš, Martin Karafiát, Lukáš Burget, Jan Černocký and Sanjeev Khudanpur (2010). [Recurrent neural network based language model](https://doi.org/10.21437/Interspeech.2010-343).
# *Interspeech 2010, pages 1045–1048.*
# <br>**Why read it:** The recurrent language model that beat n-grams.
# <br>Cited in
# 01: [Guessing what comes next](01_rnn.ipynb#cell-id=language-text).

# %% [markdown] id="miller-2016"
# Miller, Alexander, Adam Fisch, Jesse Dodge, Amir-Hossein Karimi, Antoine Bordes and Jason Weston (2016). [Key-value memory networks for directly reading documents](https://aclanthology.org/D16-1147/).
# *Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing, pages 1400–1409.*
# <br>**Why read it:** Keys that differ from their values, and why that helps in looking up facts.
# <br>Cited in
# 04: [A sentence is a dictionary](04_keys_and_values.ipynb#cell-id=story-read).

# %% [markdown] id="mnih-2014"
# Mnih, Volodymyr, Nicolas Heess, Alex Graves and Koray Kavukcuoglu (2014). [Recurrent models of visual attention](https://arxiv.org/abs/1406.6247).
# *Advances in Neural Information Processing Systems 27, pages 2204–2212, arXiv:1406.6247.*
# <br>**Why read it:** Hard attention, trained by sampling.
# <br>Cited in
# 04: [at its end](04_keys_and_values.ipynb#cell-id=end); 05b: [Bahdanau's decoder, equation by equation](05b_two_decoders.ipynb#cell-id=equations).

# %% [markdown] id="murray-2018"
# Murray, Kenton and David Chiang (2018). [Correcting length bias in neural machine translation](https://aclanthology.org/W18-6322/).
# *Proceedings of the Third Conference on Machine Translation: Research Papers, pages 212–223.*
# <br>**Why read it:** The beam problem traced to length, and fixed by one learned number.
# <br>Cited in
# 08: [A model that is right in 98 of 100 cases](08_beam_search.ipynb#cell-id=synonyms-read).

# %% [markdown] id="nadaraya-1964"
# Nadaraya, Elizbar A. (1964). [On estimating regression](https://doi.org/10.1137/1109020).
# *Theory of Probability and Its Applications 9(1), pages 141–142.*
# <br>**Why read it:** A weighted mean of known values: kernel regression, in two pages.
# <br>Cited in
# 04b: [The same lookup, fifty years earlier](04b_kernel_regression.ipynb#cell-id=kernel-text).

# %% [markdown] id="och-2003"
# Och, Franz Josef and Hermann Ney (2003). [A systematic comparison of various statistical alignment models](https://aclanthology.org/J03-1002/).
# *Computational Linguistics 29(1), pages 19–51.*
# <br>**Why read it:** Word alignment models compared; the alignment error rate as it is used here.
# <br>Cited in
# 05: [Compared with what?](05_attention.ipynb#cell-id=aer-text).

# %% [markdown] id="okabe-2008"
# Okabe, Masataka and Kei Ito (2008). [Color universal design (CUD): How to make figures and presentations that are friendly to colorblind people](https://jfly.uni-koeln.de/color/).
# *jfly.uni-koeln.de, revised 2008.*
# <br>**Why read it:** Eight colors that most people can tell apart, colorblind or not; the ones of this book's figures.

# %% [markdown] id="olsson-2022"
# Olsson, Catherine, Nelson Elhage, Neel Nanda, Nicholas Joseph, Nova DasSarma, and others (2022). [In-context learning and induction heads](https://arxiv.org/abs/2209.11895).
# *arXiv:2209.11895.*
# <br>**Why read it:** Heads that copy what followed the last time: how a Transformer learns from its context.
# <br>Cited in
# 11: [How does it do it?](11_transformer.ipynb#cell-id=lookup-end).

# %% [markdown] id="papineni-2002"
# Papineni, Kishore, Salim Roukos, Todd Ward and Wei-Jing Zhu (2002). [Bleu: A method for automatic evaluation of machine translation](https://aclanthology.org/P02-1040/).
# *Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics, pages 311–318.*
# <br>**Why read it:** A measure argued for step by step, and easy to read.
# <br>Cited in
# 09: [Forget the places: precision](09_bleu.ipynb#cell-id=precision-read), [Which mean?](09_bleu.ipynb#cell-id=mean-read), [What about recall?](09_bleu.ipynb#cell-id=brevity-text); 09b: [Would people agree?](09b_confidence.ipynb#cell-id=people-text); 10: [at its end](10_translator.ipynb#cell-id=end).

# %% [markdown] id="pascanu-2013"
# Pascanu, Razvan, Tomas Mikolov and Yoshua Bengio (2013). [On the difficulty of training recurrent neural networks](https://proceedings.mlr.press/v28/pascanu13.html).
# *Proceedings of the 30th International Conference on Machine Learning (PMLR 28), pages 1310–1318.*
# <br>**Why read it:** Exploding gradients as walls in the loss, and clipping as the answer to them.
# <br>Cited in
# 01b: [How far does a gradient reach?](01b_gradients.ipynb#cell-id=radius-read), [When gradients explode: clipping](01b_gradients.ipynb#cell-id=cliff-read).

# %% [markdown] id="popovic-2015"
# Popović, Maja (2015). [chrF: Character n-gram F-score for automatic MT evaluation](https://aclanthology.org/W15-3049/).
# *Proceedings of the Tenth Workshop on Statistical Machine Translation, pages 392–395.*
# <br>**Why read it:** A metric on characters, simpler than BLEU and kinder to rich endings.
# <br>Cited in
# 09: [Smaller than words: chrF](09_bleu.ipynb#cell-id=chrf-text).

# %% [markdown] id="popovic-2017"
# Popović, Maja (2017). [chrF++: Words helping character n-grams](https://aclanthology.org/W17-4770/).
# *Proceedings of the Second Conference on Machine Translation, pages 612–618.*
# <br>**Why read it:** Extends chrF by runs of words.
# <br>Cited in
# 09: [at its end](09_bleu.ipynb#cell-id=end).

# %% [markdown] id="post-2018"
# Post, Matt (2018). [A call for clarity in reporting BLEU scores](https://aclanthology.org/W18-6319/).
# *Proceedings of the Third Conference on Machine Translation: Research Papers, pages 186–191.*
# <br>**Why read it:** Why two BLEU scores with the same name cannot be compared, and a tool against it.
# <br>Cited in
# 09: [Cut in the same way](09_bleu.ipynb#cell-id=tokens-text); 10: [6 · How good is it?](10_translator.ipynb#cell-id=bleu-read).

# %% [markdown] id="press-2017"
# Press, Ofir and Lior Wolf (2017). [Using the output embedding to improve language models](https://aclanthology.org/E17-2025/).
# *Proceedings of the 15th Conference of the European Chapter of the Association for Computational Linguistics, pages 157–163.*
# <br>**Why read it:** One matrix for reading and writing words, and what sharing changes.
# <br>Cited in
# 10: [4 · The model](10_translator.ipynb#cell-id=model-text); 11b: [The whole model](11b_translation.ipynb#cell-id=decoder-layer-text).

# %% [markdown] id="radford-2017"
# Radford, Alec, Rafal Jozefowicz and Ilya Sutskever (2017). [Learning to generate reviews and discovering sentiment](https://arxiv.org/abs/1704.01444).
# *arXiv:1704.01444.*
# <br>**Why read it:** A single unit of a language model that knows whether a review is good.
# <br>Cited in
# 02: [Where is it kept?](02_lstm.ipynb#cell-id=transplant-record-read).

# %% [markdown] id="radford-2018"
# Radford, Alec, Karthik Narasimhan, Tim Salimans and Ilya Sutskever (2018). [Improving language understanding by generative pre-training](https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf).
# *OpenAI, technical report.*
# <br>**Why read it:** A Transformer that only writes, trained on text first: the first GPT.
# <br>Cited in
# 11: [What the waves are good for](11_transformer.ipynb#cell-id=positions-read), [A tiny GPT](11_transformer.ipynb#cell-id=gpt-text).

# %% [markdown] id="ranzato-2016"
# Ranzato, Marc'Aurelio, Sumit Chopra, Michael Auli and Wojciech Zaremba (2016). [Sequence level training with recurrent neural networks](https://arxiv.org/abs/1511.06732).
# *4th International Conference on Learning Representations (ICLR), arXiv:1511.06732.*
# <br>**Why read it:** Training on BLEU itself, against exposure bias.
# <br>Cited in
# 07: [07 · Teacher forcing](07_teacher_forcing.ipynb#cell-id=table-decoder-read).

# %% [markdown] id="rei-2020"
# Rei, Ricardo, Craig Stewart, Ana C. Farinha and Alon Lavie (2020). [COMET: A neural framework for MT evaluation](https://aclanthology.org/2020.emnlp-main.213/).
# *Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing, pages 2685–2702.*
# <br>**Why read it:** A learned metric that agrees with people better than counting words does.
# <br>Cited in
# 09b: [Would people agree?](09b_confidence.ipynb#cell-id=people-text).

# %% [markdown] id="riezler-2005"
# Riezler, Stefan and John T. Maxwell (2005). [On some pitfalls in automatic evaluation and significance testing for MT](https://aclanthology.org/W05-0908/).
# *Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine Translation and/or Summarization, pages 57–64.*
# <br>**Why read it:** Why approximate randomization is the safer test for metrics.
# <br>Cited in
# 09b: [The other test: swap who said it](09b_confidence.ipynb#cell-id=swap-text), [When neither is better](09b_confidence.ipynb#cell-id=null-read).

# %% [markdown] id="ross-2011"
# Ross, Stéphane, Geoffrey Gordon and Drew Bagnell (2011). [A reduction of imitation learning and structured prediction to no-regret online learning](https://proceedings.mlr.press/v15/ross11a.html).
# *Proceedings of the Fourteenth International Conference on Artificial Intelligence and Statistics (PMLR 15), pages 627–635.*
# <br>**Why read it:** The theory behind mixing: learn on the states that your own decisions lead to.
# <br>Cited in
# 07: [at its end](07_teacher_forcing.ipynb#cell-id=end).

# %% [markdown] id="saxe-2014"
# Saxe, Andrew M., James L. McClelland and Surya Ganguli (2014). [Exact solutions to the nonlinear dynamics of learning in deep linear neural networks](https://arxiv.org/abs/1312.6120).
# *2nd International Conference on Learning Representations (ICLR), arXiv:1312.6120.*
# <br>**Why read it:** Why orthogonal initialization keeps gradients alive, worked out exactly.
# <br>Cited in
# 01b: [Open experiment: remember the first symbol](01b_gradients.ipynb#cell-id=open-experiment-text).

# %% [markdown] id="schuster-1997"
# Schuster, Mike and Kuldip K. Paliwal (1997). [Bidirectional recurrent neural networks](https://doi.org/10.1109/78.650093).
# *IEEE Transactions on Signal Processing 45(11), pages 2673–2681.*
# <br>**Why read it:** Reading both ways at once.
# <br>Cited in
# 03b: [A state for every word](03b_bottleneck.ipynb#cell-id=states-text).

# %% [markdown] id="sennrich-2016"
# Sennrich, Rico, Barry Haddow and Alexandra Birch (2016). [Neural machine translation of rare words with subword units](https://aclanthology.org/P16-1162/).
# *Proceedings of the 54th Annual Meeting of the Association for Computational Linguistics, pages 1715–1725.*
# <br>**Why read it:** Subwords by byte-pair encoding, with the code on the page.
# <br>Cited in
# 10: [Parts of words](10_translator.ipynb#cell-id=pieces-text).

# %% [markdown] id="serrano-2019"
# Serrano, Sofia and Noah A. Smith (2019). [Is attention interpretable?](https://aclanthology.org/P19-1282/)
# *Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics, pages 2931–2951.*
# <br>**Why read it:** Weights removed until the answer changes: the largest ones are not always those that matter.
# <br>Cited in
# 05c: [Weights that give the same word](05c_explanation.ipynb#cell-id=search-text), [What others found](05c_explanation.ipynb#cell-id=literature).

# %% [markdown] id="shazeer-2019"
# Shazeer, Noam (2019). [Fast Transformer decoding: One write-head is all you need](https://arxiv.org/abs/1911.02150).
# *arXiv:1911.02150.*
# <br>**Why read it:** One key and value for all heads, because reading the cache is what costs in writing.
# <br>Cited in
# 11b: [The same stack, token by token](11b_translation.ipynb#cell-id=cached-read).

# %% [markdown] id="shi-2020"
# Shi, Xing, Yijun Xiao and Kevin Knight (2020). [Why neural machine translation prefers empty outputs](https://arxiv.org/abs/2012.13454).
# *arXiv:2012.13454.*
# <br>**Why read it:** Why the empty translation is so probable, and what label smoothing has to do with it.
# <br>Cited in
# 08: [A model that is right in 98 of 100 cases](08_beam_search.ipynb#cell-id=synonyms-read).

# %% [markdown] id="srivastava-2015"
# Srivastava, Rupesh Kumar, Klaus Greff and Jürgen Schmidhuber (2015). [Highway networks](https://arxiv.org/abs/1505.00387).
# *arXiv:1505.00387.*
# <br>**Why read it:** Gates on the path through depth: an LSTM turned on its side, and a residual network's forerunner.
# <br>Cited in
# 02: [Against autograd](02_lstm.ipynb#cell-id=residual).

# %% [markdown] id="stahlberg-2019"
# Stahlberg, Felix and Bill Byrne (2019). [On NMT search errors and model errors: Cat got your tongue?](https://aclanthology.org/D19-1331/)
# *Proceedings of the 2019 Conference on Empirical Methods in Natural Language Processing and the 9th International Joint Conference on Natural Language Processing, pages 3356–3362.*
# <br>**Why read it:** Exact search finds that half of the most probable translations are empty.
# <br>Cited in
# 08: [Trying everything](08_beam_search.ipynb#cell-id=exhaustive-text), [How often does a beam miss the best?](08_beam_search.ipynb#cell-id=errors-read), [A model that is right in 98 of 100 cases](08_beam_search.ipynb#cell-id=synonyms-read).

# %% [markdown] id="su-2021"
# Su, Jianlin, Yu Lu, Shengfeng Pan, Ahmed Murtadha, Bo Wen and Yunfeng Liu (2021). [RoFormer: Enhanced Transformer with rotary position embedding](https://arxiv.org/abs/2104.09864).
# *arXiv:2104.09864.*
# <br>**Why read it:** Positions as rotations of queries and keys, used in many language models since.
# <br>Cited in
# 11: [What the waves are good for](11_transformer.ipynb#cell-id=positions-read).

# %% [markdown] id="sutskever-2014"
# Sutskever, Ilya, Oriol Vinyals and Quoc V. Le (2014). [Sequence to sequence learning with neural networks](https://arxiv.org/abs/1409.3215).
# *Advances in Neural Information Processing Systems 27, pages 3104–3112, arXiv:1409.3215.*
# <br>**Why read it:** Short, and everything that a translator without attention needs.
# <br>Cited in
# 03: [An encoder, a decoder, and one vector between](03_seq2seq.ipynb#cell-id=parts-text); 03b: [Is the beginning too far away?](03b_bottleneck.ipynb#cell-id=reverse-text), [And sentences?](03b_bottleneck.ipynb#cell-id=ko-read); 08: [at its end](08_beam_search.ipynb#cell-id=end).

# %% [markdown] id="szegedy-2016"
# Szegedy, Christian, Vincent Vanhoucke, Sergey Ioffe, Jon Shlens and Zbigniew Wojna (2016). [Rethinking the Inception architecture for computer vision](https://doi.org/10.1109/CVPR.2016.308).
# *IEEE Conference on Computer Vision and Pattern Recognition (CVPR), pages 2818–2826.*
# <br>**Why read it:** A paper on images whose section 7 introduced label smoothing.

# %% [markdown] id="tallec-2018"
# Tallec, Corentin and Yann Ollivier (2018). [Can recurrent neural networks warp time?](https://arxiv.org/abs/1804.11188)
# *6th International Conference on Learning Representations (ICLR), arXiv:1804.11188.*
# <br>**Why read it:** Derives gates, and how to set their biases for a distance that you know.
# <br>Cited in
# 02: [Exercise 2.3 · The bias for a distance](02_lstm.ipynb#cell-id=decide-read).

# %% [markdown] id="vashishth-2019"
# Vashishth, Shikhar, Shyam Upadhyay, Gaurav Singh Tomar and Manaal Faruqui (2019). [Attention interpretability across NLP tasks](https://arxiv.org/abs/1909.11218).
# *arXiv:1909.11218.*
# <br>**Why read it:** When attention explains and when not: it depends on the task.
# <br>Cited in
# 05c: [What others found](05c_explanation.ipynb#cell-id=literature).

# %% [markdown] id="vaswani-2017"
# Vaswani, Ashish, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser and Illia Polosukhin (2017). [Attention is all you need](https://arxiv.org/abs/1706.03762).
# *Advances in Neural Information Processing Systems 30, pages 5998–6008, arXiv:1706.03762.*
# <br>**Why read it:** Attention without recurrence: the Transformer.
# <br>Cited in
# 04: [A sentence is a dictionary](04_keys_and_values.ipynb#cell-id=story-read); 06: [Five ways from two vectors to one number](06_scores.ipynb#cell-id=five), [Why divide by √H?](06_scores.ipynb#cell-id=scale-text); 11: [The function of chapter 5, again](11_transformer.ipynb#cell-id=idea); 11b: [11b · A Transformer translates](11b_translation.ipynb#cell-id=drawing-read).

# %% [markdown] id="vogel-1996"
# Vogel, Stephan, Hermann Ney and Christoph Tillmann (1996). [HMM-based word alignment in statistical translation](https://aclanthology.org/C96-2141/).
# *COLING 1996 Volume 2: The 16th International Conference on Computational Linguistics, pages 836–841.*
# <br>**Why read it:** Alignment that knows where the last word was aligned: the model that beats plain counting.
# <br>Cited in
# 05: [Compared with what?](05_attention.ipynb#cell-id=baselines-text).

# %% [markdown] id="wang-2020"
# Wang, Chaojun and Rico Sennrich (2020). [On exposure bias, hallucination and domain shift in neural machine translation](https://aclanthology.org/2020.acl-main.326/).
# *Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics, pages 3544–3552.*
# <br>**Why read it:** Exposure bias linked to hallucination under a change of domain.
# <br>Cited in
# 07: [And in a real translator?](07_teacher_forcing.ipynb#cell-id=dogs-read).

# %% [markdown] id="watson-1964"
# Watson, Geoffrey S. (1964). [Smooth regression analysis](https://www.jstor.org/stable/25049340).
# *Sankhyā: The Indian Journal of Statistics, Series A 26(4), pages 359–372.*
# <br>**Why read it:** The same weighted mean as Nadaraya's, found independently, with worked data.
# <br>Cited in
# 04b: [The same lookup, fifty years earlier](04b_kernel_regression.ipynb#cell-id=kernel-text).

# %% [markdown] id="werbos-1990"
# Werbos, Paul J. (1990). [Backpropagation through time: What it does and how to do it](https://doi.org/10.1109/5.58337).
# *Proceedings of the IEEE 78(10), pages 1550–1560.*
# <br>**Why read it:** Back-propagation through time, step by step, by one of its inventors.
# <br>Cited in
# 01b: [Back-propagation through time](01b_gradients.ipynb#cell-id=bptt-text).

# %% [markdown] id="wiegreffe-2019"
# Wiegreffe, Sarah and Yuval Pinter (2019). [Attention is not not explanation](https://aclanthology.org/D19-1002/).
# *Proceedings of the 2019 Conference on Empirical Methods in Natural Language Processing and the 9th International Joint Conference on Natural Language Processing, pages 11–20.*
# <br>**Why read it:** The answer to Jain and Wallace: which tests a claim about explanation should pass.
# <br>Cited in
# 05c: [What the search finds](05c_explanation.ipynb#cell-id=search-read), [What others found](05c_explanation.ipynb#cell-id=literature).

# %% [markdown] id="williams-1989"
# Williams, Ronald J. and David Zipser (1989). [A learning algorithm for continually running fully recurrent neural networks](https://doi.org/10.1162/neco.1989.1.2.270).
# *Neural Computation 1(2), pages 270–280.*
# <br>**Why read it:** Gradients forward in time, and the name *teacher forcing*.
# <br>Cited in
# 07: [Two ways to feed a decoder](07_teacher_forcing.ipynb#cell-id=note-text).

# %% [markdown] id="williams-1990"
# Williams, Ronald J. and Jing Peng (1990). [An efficient gradient-based algorithm for on-line training of recurrent network trajectories](https://doi.org/10.1162/neco.1990.2.4.490).
# *Neural Computation 2(4), pages 490–501.*
# <br>**Why read it:** Truncated back-propagation, described and analyzed.
# <br>Cited in
# 01b: [What does it cost to cut the chain?](01b_gradients.ipynb#cell-id=truncated-text).

# %% [markdown] id="wilson-1927"
# Wilson, Edwin B. (1927). [Probable inference, the law of succession, and statistical inference](https://doi.org/10.1080/01621459.1927.10502953).
# *Journal of the American Statistical Association 22(158), pages 209–212.*
# <br>**Why read it:** The interval for a share that still works near 0 and 1.
# <br>Cited in
# 08: [at its end](08_beam_search.ipynb#cell-id=end).

# %% [markdown] id="wu-2016"
# Wu, Yonghui, Mike Schuster, Zhifeng Chen, Quoc V. Le, Mohammad Norouzi, and others (2016). [Google's neural machine translation system: Bridging the gap between human and machine translation](https://arxiv.org/abs/1609.08144).
# *arXiv:1609.08144.*
# <br>**Why read it:** A whole production system, with the length and coverage penalties spelled out.
# <br>Cited in
# 08: [Paying for length](08_beam_search.ipynb#cell-id=length-text).

# %% [markdown] id="wu-2021"
# Wu, Zhiyong, Lingpeng Kong, Wei Bi, Xiang Li and Ben Kao (2021). [Good for misconceived reasons: An empirical revisiting on the need for visual context in multimodal machine translation](https://aclanthology.org/2021.acl-long.480/).
# *59th Annual Meeting of the Association for Computational Linguistics, pages 6153–6166.*
# <br>**Why read it:** What pictures add to the translation of captions, compared carefully; with a recipe for a small Transformer.
# <br>Cited in
# 11b: [On real captions](11b_translation.ipynb#cell-id=captions-read).

# %% [markdown] id="xiong-2020"
# Xiong, Ruibin, Yunchang Yang, Di He, Kai Zheng, Shuxin Zheng, Chen Xing, Huishuai Zhang, Yanyan Lan, Liwei Wang and Tie-Yan Liu (2020). [On layer normalization in the Transformer architecture](https://proceedings.mlr.press/v119/xiong20b.html).
# *Proceedings of the 37th International Conference on Machine Learning (PMLR 119), pages 10524–10533.*
# <br>**Why read it:** Why a Transformer with its norm after the addition wants warm-up, and one with it before can do without.
# <br>Cited in
# 11: [Why add, and why normalize first?](11_transformer.ipynb#cell-id=depth-read).

# %% [markdown] id="xu-2015"
# Xu, Kelvin, Jimmy Ba, Ryan Kiros, Kyunghyun Cho, Aaron Courville, Ruslan Salakhutdinov, Richard Zemel and Yoshua Bengio (2015). [Show, attend and tell: Neural image caption generation with visual attention](https://arxiv.org/abs/1502.03044).
# *Proceedings of the 32nd International Conference on Machine Learning (PMLR 37), pages 2048–2057, arXiv:1502.03044.*
# <br>**Why read it:** Hard and soft attention side by side, in writing captions of pictures.
# <br>Cited in
# 04: [Why soft? A hard lookup has no gradient](04_keys_and_values.ipynb#cell-id=gradient-text).

# %% [markdown] id="yang-2018"
# Yang, Yilin, Liang Huang and Mingbo Ma (2018). [Breaking the beam search curse: A study of (re-)scoring methods and stopping criteria for neural machine translation](https://aclanthology.org/D18-1342/).
# *Proceedings of the 2018 Conference on Empirical Methods in Natural Language Processing, pages 3054–3059.*
# <br>**Why read it:** Why wider beams are worse, and how to predict the length instead.
# <br>Cited in
# 08: [A model that is right in 98 of 100 cases](08_beam_search.ipynb#cell-id=synonyms-read).

# %% [markdown] id="zaremba-2014"
# Zaremba, Wojciech and Ilya Sutskever (2014). [Learning to execute](https://arxiv.org/abs/1410.4615).
# *arXiv:1410.4615.*
# <br>**Why read it:** Networks that read small programs; curricula, and reversed input again.
# <br>Cited in
# 03b: [Open experiment: move the cliff](03b_bottleneck.ipynb#cell-id=open-experiment-text).

# %% [markdown] id="zhang-2019"
# Zhang, Wen, Yang Feng, Fandong Meng, Di You and Qun Liu (2019). [Bridging the gap between training and inference for neural machine translation](https://aclanthology.org/P19-1426/).
# *Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics, pages 4334–4343.*
# <br>**Why read it:** Scheduled sampling for translation, with the words that replace the right ones chosen with care.
# <br>Cited in
# 07b: [Does it help a translator?](07b_scheduled_sampling.ipynb#cell-id=captions-read).
