# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # Notation and glossary
#
# Here are the letters with their shapes in code, and the book's terms in English and Korean
# (용어집). Most letters mean the same in every chapter; some that do not are listed below.

# %% [markdown] id="sizes"
# ## Sizes
#
# | letter | counts |
# |---|---|
# | $B$ | sentences in a batch |
# | $S$, index $j$ | source positions, with the end token |
# | $T$, index $t$ | target positions, with the end token |
# | $E$ | features of an embedding |
# | $H$ | features of a hidden state; where encoder and decoder differ, He and Hd |
# | $A$ | features inside an additive or concat score ([chapter 6](06_scores.ipynb)) |
# | $O$ | features of $\tilde s_t$; in the book's models as many as $E$ |
# | $D$ | features of a value, where a key has a different number ([chapter 4](04_keys_and_values.ipynb)); of a whole vector ([chapter 11](11_transformer.ipynb)) |
# | $V$ | tokens in a vocabulary |
# | $K$ | hypotheses that beam search keeps; k in the prose |
# | $d$, $h$ | features of a query or key; number of heads ([chapter 11](11_transformer.ipynb)) |
#
# Batch first: a tensor of states is (B, S, H).

# %% [markdown] id="symbols"
# ## Symbols
#
# | symbol | name | shape | chapter |
# |---|---|---|---|
# | $x_j$, $y_t$ | source and target token, or its embedding | (B, S), (B, T); (…, E) | [01](01_rnn.ipynb), [03](03_seq2seq.ipynb) |
# | $h_t$ | state of a recurrent network | (B, T, H) | [01](01_rnn.ipynb) |
# | $h_j$ | encoder state | (B, S, H) | [03](03_seq2seq.ipynb) |
# | $s_t$ | decoder state | (B, T, H) | [03](03_seq2seq.ipynb) |
# | $c_t$ | context (vector) | (B, T, H) | [05](05_attention.ipynb) |
# | $e_{tj}$ | score of query $t$ and key $j$ | (B, T, S) | [05](05_attention.ipynb) |
# | $\alpha_{tj}$ | attention weight | (B, T, S), rows sum to 1 | [05](05_attention.ipynb) |
# | $\tilde s_t$ | attentional vector | (B, T, O) | [05](05_attention.ipynb) |
# | $W_a$, $U_a$, $v_a$ | matrices and vector of a score | see [chapter 6](06_scores.ipynb) | [05](05_attention.ipynb), [06](06_scores.ipynb) |
# | $W_c$, $W_s$ | matrices that make $\tilde s_t$, and logits from it | (O, 2H), (V, O) | [05](05_attention.ipynb) |
# | $k_j$, $v_j$, $W_K$, $W_V$ | key and value of entry $j$, and the matrices that make them | (S, d), (S, D) | [04](04_keys_and_values.ipynb), [11](11_transformer.ipynb) |
# | $Q$, $K$, $V$ | queries, keys and values, one per row | (…, T, d), (…, S, d) twice | [04](04_keys_and_values.ipynb), [11](11_transformer.ipynb) |
# | $p_t$ | vector of position $t$ | (T, D) | [11](11_transformer.ipynb) |
# | $\sigma$, $\odot$ | $\sigma(a) = 1/(1+e^{-a})$; element-wise product | as its input | [02](02_lstm.ipynb) |
# | $\rho$, $\theta$, $\eta$ | spectral radius; longest gradient that clipping leaves; learning rate | numbers | [01b](01b_gradients.ipynb), [10](10_translator.ipynb) |
# | $i_t, f_t, g_t, o_t$, $c_t$ | gates and **cell state** of an LSTM | (B, H) | [02](02_lstm.ipynb) |
# | $\tau$ | temperature; $T$ in [chapter 8](08b_decoding.ipynb) | a number | [04](04_keys_and_values.ipynb) |
# | $\epsilon$, $\varepsilon$ | teacher forcing ratio; label smoothing | numbers | [07b](07b_scheduled_sampling.ipynb), [10](10_translator.ipynb) |
# | $lp$, $\alpha$ | length penalty and its exponent | numbers | [08](08_beam_search.ipynb) |
# | $p_n$, BP | clipped n-gram precision, brevity penalty | numbers | [09](09_bleu.ipynb) |
# | $c$, $r$ | length of the hypothesis, of the reference | numbers | [09](09_bleu.ipynb) |
#
# Some letters mean two things:
#
# - $c_t$ is the cell state where there is an LSTM ([chapter 2](02_lstm.ipynb); $c_0$ in [chapter
#   3](03_seq2seq.ipynb)), otherwise the context; in [chapter 9](09_bleu.ipynb) $c$ is a length;
# - $\alpha$ with indices is a weight, $\alpha$ alone the exponent of the length penalty;
# - $h$ with an index is a state, $h$ alone a bandwidth ([04b](04b_kernel_regression.ipynb)) or
#   the number of heads ([chapter 11](11_transformer.ipynb));
# - $y_t$ is a token, but in [chapter 1](01_rnn.ipynb) the logits;
# - $T$ counts target positions, but is the temperature in [08b](08b_decoding.ipynb);
# - $g_t$ is a gradient in [01b](01b_gradients.ipynb) and [chapter 10](10_translator.ipynb), where
#   $v_t$ is a mean of squares and $p_t$ a distribution;
# - $\sigma$ is a standard deviation in [01b](01b_gradients.ipynb) and [chapter
#   6](06_scores.ipynb);
# - $K$ and $V$ are sizes, but next to a $Q$ the keys and the values.
#
# In code they differ: `cell` and `context`; `weights` and `alpha`; `states`, `bandwidth` and
# `heads`.

# %% [markdown] id="code"
# ## The same in code
#
# | in code | in formulas |
# |---|---|
# | `src`, `tgt_in`, `tgt_out` | $x$; $y$ with the start token in front; $y$ with the end token last |
# | `src_mask`, `tgt_mask` | **True = a real token that may be attended** |
# | `query`, `keys`, `values` | $s_t$; $h_j$; $h_j$ |
# | `scores`, `weights`, `context` | $e$; $\alpha$; $c$ |
# | `features` | what the word is predicted from: $\tilde s$ |
# | `logits`, `log_probs` | before and after log-softmax |
# | `hidden`, `cell` | the state of an LSTM |
#
# torch's `key_padding_mask` and `src_key_padding_mask` have the opposite sense: pass them `~mask`.
#
# The shapes for two sentences in a small model:

# %% id="setup" tags=["setup"]
# set-up
import torch

torch.set_num_threads(1)
_ = torch.manual_seed(0)

# %% id="shapes" tags=["hide-input"]
# computes the shapes
from attnlib.data import make_batch
from attnlib.model import make_seq2seq

batch = make_batch([[5, 6, 7, 8], [5]], [[9, 10], [9, 10, 11]])  # B = 2 sentences
model = make_seq2seq(20, 30, embedding_size=6, hidden_size=8)  # E = 6, H = 8, V = 30
memory = model.encode(batch.src, batch.src_mask)
embedded = model.decoder.embed(batch.tgt_in).unsqueeze(1)
states = model.decoder.run(embedded, model.decoder.start(memory))[0].squeeze(1)
context, weights = model.decoder.attention(states, memory.states, memory.states, memory.mask)
features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in)
shown = {
    "src          x": batch.src, "src_mask": batch.src_mask, "tgt_in       y": batch.tgt_in,
    "states       h": memory.states, "hidden       s": states, "weights      α": weights,
    "context      c": context, "features     s̃": features, "logits": model.output(features),
}
for name, tensor in shown.items():
    print(f"{name:16} {tuple(tensor.shape)}")

# %% [markdown] id="shapes-read"
# B = 2, S = 5 (four words and the end token), T = 4 (three words and a start or end token), E = 6,
# H = 8, V = 30.

# %% [markdown] id="glossary"
# ## Glossary
#
# Where Korean texts use several words, a common one comes first. The last column links to the cell
# that explains the term. Each chapter's last file ends with its terms, folded.
#
# | English | 한국어 | in a few words | explained in |
# |---|---|---|---|
# | accuracy, positional | 위치별 정확도 | share of places where two sentences have the same word | [09](09_bleu.ipynb#cell-id=accuracy-text) |
# | activation patching | 활성화 패칭 (활성값 패칭) | put a number of one run into another, to see whether it decides | [02](02_lstm.ipynb#cell-id=transplant-text) |
# | Adam | Adam 옵티마이저 | an optimizer that divides a mean of a parameter's gradients by the root of a mean of their squares | [01](01_rnn.ipynb#cell-id=optimizer-text) |
# | adding problem | 덧셈 문제 | add up two marked numbers of a long sequence | [02b](02b_long_memory.ipynb#cell-id=adding-text) |
# | additive (score) | 가산 스코어 (바다나우 어텐션) | v·tanh(W s + U h): Bahdanau's score | [06](06_scores.ipynb#cell-id=five) |
# | alignment | 정렬, 단어 정렬 (얼라인먼트) | which source word belongs to which target word | [05](05_attention.ipynb#cell-id=aer-text) |
# | alignment error rate (AER) | 정렬 오류율 | distance of found links from gold ones; 0 is best | [05](05_attention.ipynb#cell-id=aer-text) |
# | approximate randomization | 근사 무작위화 검정 | swap at random who translated which sentence, to see what chance alone does | [09b](09b_confidence.ipynb#cell-id=swap-text) |
# | associative recall | 연관 회상 (연상 회상) | read pairs of a key and a value, then name the value of each key | [11](11_transformer.ipynb#cell-id=lookup-text) |
# | attention | 어텐션 (주의) | scores → weights → context | [04](04_keys_and_values.ipynb#cell-id=loop-read) |
# | attention distribution | 어텐션 분포 | the attention weights of a query, which sum to 1 | [04](04_keys_and_values.ipynb#cell-id=loop-read) |
# | attention value | 어텐션 값 | in some Korean texts, the context | [05](05_attention.ipynb#cell-id=hand-context-read) |
# | attention weight | 어텐션 가중치 | α, a row of numbers ≥ 0 that sum to 1 | [00](00_start.ipynb#cell-id=shares-meaning) |
# | attentional vector | 어텐션 은닉 상태 (s̃) | context and state, joined and projected; predicts the word | [05](05_attention.ipynb#cell-id=s-tilde-text) |
# | average pooling | 평균 풀링 | the plain mean of all values; a soft lookup without similarity | [04](04_keys_and_values.ipynb#cell-id=temperature-read) |
# | back-propagation | 역전파 (백프롭) | the chain rule, backward through a computation: all slopes at once | [01](01_rnn.ipynb#cell-id=gradient-text) |
# | back-propagation through time | BPTT (시간을 통한 역전파, 시간 역전파) | the chain rule, back through every step | [01b](01b_gradients.ipynb#cell-id=bptt-text) |
# | bandwidth | 대역폭 | how far a kernel reaches; its square is a temperature | [04b](04b_kernel_regression.ipynb#cell-id=kernel-text) |
# | batch | 미니배치, 배치 | examples that are computed together | [01](01_rnn.ipynb#cell-id=cell-read) |
# | beam search | 빔 서치 (빔 탐색) | keep the k best prefixes at every step | [08](08_beam_search.ipynb#cell-id=beam-text) |
# | beam search curse | 빔 서치의 저주 | wider beams find sentences that are more probable and worse | [08](08_beam_search.ipynb#cell-id=synonyms-read) |
# | beam width (beam size) | 빔 크기 (빔 너비) | k, how many hypotheses a beam search keeps | [08](08_beam_search.ipynb#cell-id=beam-text) |
# | bfloat16 (bf16) | bfloat16 (16비트 부동소수점, bf16) | numbers of 16 bits, with the range of 32 and two or three digits | [10](10_translator.ipynb#cell-id=recipe-read) |
# | bias | 편향 | a learned number that is added, whatever the input | [01](01_rnn.ipynb#cell-id=cell-formula) |
# | bidirectional | 양방향 | read forward and backward, and join the two | [03b](03b_bottleneck.ipynb#cell-id=states-text) |
# | bilinear form | 쌍선형 형식 | sᵀWh: linear in each of its two vectors | [06](06_scores.ipynb#cell-id=bilinear-read) |
# | bit | 비트 | the unit of a logarithm to base 2: what has probability 1/2 costs one | [01](01_rnn.ipynb#cell-id=perplexity-text) |
# | BLEU | BLEU 점수 | n-gram precisions, geometric mean, brevity penalty; 0 to 100 | [09](09_bleu.ipynb#cell-id=mean-text) |
# | bootstrap | 부트스트랩 | draw the test set again and again to see how far a score strays | [09b](09b_confidence.ipynb#cell-id=bootstrap-text) |
# | bottleneck | 병목 현상 | a vector of fixed size for a sentence of any length | [05](05_attention.ipynb#cell-id=bottleneck-read) |
# | brevity penalty | 간결성 페널티 (브레버티 페널티) | what BLEU takes off a translation that is too short | [09](09_bleu.ipynb#cell-id=brevity-text) |
# | bridge | 브리지 (연결 층) | a small layer that turns the context vector into the decoder's first states | [03](03_seq2seq.ipynb#cell-id=bridge-text) |
# | byte-pair encoding (BPE) | 바이트 페어 인코딩 (BPE) | joins the most frequent pair of pieces, again and again, until there are enough | [10](10_translator.ipynb#cell-id=pieces-text) |
# | cache (KV cache) | KV 캐시 (키-값 캐시) | keys and values of the words written so far, kept for the next step | [11b](11b_translation.ipynb#cell-id=cached-read) |
# | candidate | 후보 값 (후보 셀 상태) | what the input gate may write into the cell state | [02](02_lstm.ipynb#cell-id=one-number-text) |
# | causal mask | 룩어헤드 마스크 (인과 마스크) | hides from each position what comes after it | [11](11_transformer.ipynb#cell-id=future-text) |
# | cell state | 셀 상태 | the LSTM's memory c, changed by gates | [02](02_lstm.ipynb#cell-id=one-number-text) |
# | chrF | chrF (문자 n그램 F 점수) | F-score over character n-grams | [09](09_bleu.ipynb#cell-id=chrf-text) |
# | clipping (BLEU) | 클리핑 | a word counts no more often than the reference has it, which makes the precision *modified* (보정된 정밀도) | [09](09_bleu.ipynb#cell-id=precision-read) |
# | clipping (gradient) | 기울기 클리핑 (그래디언트 클리핑) | shorten a gradient that is too long, keep its direction | [01b](01b_gradients.ipynb#cell-id=cliff-read) |
# | concat (score) | concat 스코어 (콘캣 어텐션) | v·tanh(W [s ; h]): additive, with its matrices in one | [06](06_scores.ipynb#cell-id=five) |
# | concatenation | 연결, 이어 붙이기 (콘캣) | one vector after the other, as one longer vector | [05](05_attention.ipynb#cell-id=s-tilde-text) |
# | confidence interval | 신뢰 구간 | a range made so that it holds the true value in 95 of 100 samples | [09b](09b_confidence.ipynb#cell-id=bootstrap-text) |
# | context (vector) | 컨텍스트 벡터 (문맥 벡터) | c, what the decoder gets of the source; with attention, the weighted sum of the values | [03](03_seq2seq.ipynb#cell-id=parts-text) |
# | convex combination | 볼록 결합 | an average with weights that are not negative and sum to 1 | [04](04_keys_and_values.ipynb#cell-id=descent-read) |
# | copy task | 복사 과제 | read a random string and write it again | [03b](03b_bottleneck.ipynb#cell-id=dictation-text) |
# | cosine similarity | 코사인 유사도 | the dot product divided by both lengths: from −1 to 1 | [04](04_keys_and_values.ipynb#cell-id=vectors-text) |
# | cross-attention | 크로스 어텐션 (인코더-디코더 어텐션, 교차 어텐션) | queries from the decoder, keys and values from the encoder | [11](11_transformer.ipynb#cell-id=self-text) |
# | cross-entropy | 교차 엔트로피 (크로스 엔트로피) | mean of −log p of the right token, in nats | [01](01_rnn.ipynb#cell-id=language-text) |
# | decoder | 디코더 | writes the target, one token after the other | [03](03_seq2seq.ipynb#cell-id=parts-text) |
# | decoding | 디코딩 | the search for a good sentence in what a model thinks probable | [08](08_beam_search.ipynb#cell-id=problem-text) |
# | distillation | 지식 증류 | a small model learns from what larger ones wrote | [10b](10b_inside.ipynb#cell-id=title) |
# | dot (score) | 내적 스코어 (닷-프로덕트 어텐션) | sᵀh, no parameters | [06](06_scores.ipynb#cell-id=five) |
# | dot product | 내적 | sum of the products of matching numbers | [05](05_attention.ipynb#cell-id=hand-text) |
# | dropout | 드롭아웃 | in training, numbers set to 0 at random | [10](10_translator.ipynb#cell-id=recipe-read) |
# | eigenvalue | 고윳값 | by how much a matrix stretches a vector whose direction it keeps | [01b](01b_gradients.ipynb#cell-id=powers-read) |
# | embedding | 임베딩 | the vector of a token | [01](01_rnn.ipynb#cell-id=model-text) |
# | encoder | 인코더 | reads the source into states | [03](03_seq2seq.ipynb#cell-id=parts-text) |
# | ending | 어미 | what follows the stem of a Korean verb: tense, politeness, how the sentence goes on | [00](00_start.ipynb#cell-id=corpus-text) |
# | eojeol | 어절 | a Korean word with all that is joined to it, between two spaces | [09](09_bleu.ipynb#cell-id=tokens-text) |
# | epoch | 에폭 (에포크) | training once through the whole corpus | [10](10_translator.ipynb#cell-id=waste-read) |
# | exhaustive search | 완전 탐색 (전수 탐색) | look at every possible sentence | [08](08_beam_search.ipynb#cell-id=exhaustive-text) |
# | explode (gradients) | 기울기 폭주 (그래디언트 폭주) | grow from step to step, backward | [01b](01b_gradients.ipynb#cell-id=reach-text) |
# | exposure bias | 노출 편향 | a model trained on gold prefixes must continue its own | [07](07_teacher_forcing.ipynb#cell-id=table-decoder-read) |
# | extrapolation | 외삽 | an answer outside of where there are data | [04b](04b_kernel_regression.ipynb#cell-id=bandwidth-read) |
# | faithful, plausible | 충실한 (설명), 그럴듯한 (설명) | an explanation that shows what the model did; one that convinces people | [05c](05c_explanation.ipynb#cell-id=same-but-text) |
# | feed-forward (network) | 피드포워드 신경망 (순방향 신경망) | two linear maps with a nonlinearity, for each position separately | [11](11_transformer.ipynb#cell-id=stream-text) |
# | forget bias | 망각 게이트 편향 | a bias that sets how near 1 a forget gate is at initialization | [02](02_lstm.ipynb#cell-id=bias-text) |
# | forget gate | 망각 게이트 (삭제 게이트) | how much of the cell state stays | [02](02_lstm.ipynb#cell-id=one-number-text) |
# | free running | 자기회귀 생성 (자기 출력을 다시 입력) | the model reads what it wrote itself | [07](07_teacher_forcing.ipynb#cell-id=note-text) |
# | gate | 게이트 | a number from 0 to 1 that multiplies another | [02](02_lstm.ipynb#cell-id=one-number-text) |
# | general (score) | general 스코어 (일반화된 내적) | sᵀWh: a learned matrix between the two spaces | [06](06_scores.ipynb#cell-id=general-text) |
# | geometric mean | 기하평균 | the n-th root of a product of n numbers | [09](09_bleu.ipynb#cell-id=mean-read) |
# | gold alignment (ground truth) | 정답 정렬 (GT) | what a person, or the grammar of the corpus, says is right | [00](00_start.ipynb#cell-id=after-read) |
# | gold word | 정답 단어 | the word of the human translation, which the model should write | [10](10_translator.ipynb#cell-id=batches-read) |
# | gradient | 기울기 (그래디언트) | the slope of the loss in every parameter | [01](01_rnn.ipynb#cell-id=gradient-text) |
# | gradient descent | 경사 하강법 | move every parameter a little against its slope | [01](01_rnn.ipynb#cell-id=step-text) |
# | greedy search | 그리디 디코딩 (탐욕 탐색) | take the most probable token, every time | [08](08_beam_search.ipynb#cell-id=greedy-text) |
# | GRU | GRU (게이트 순환 유닛) | a gated cell with two gates and one state | [05b](05b_two_decoders.ipynb#cell-id=gru-text) |
# | hallucination | 환각 (할루시네이션) | fluent output that has nothing to do with the source | [07](07_teacher_forcing.ipynb#cell-id=dogs-read) |
# | hard attention | 하드 어텐션 | takes one value instead of mixing them; no gradient to the scores | [04](04_keys_and_values.ipynb#cell-id=gradient-text) |
# | hard lookup | 하드 룩업 (정확히 일치하는 키만 찾기) | one key fits, and its value is returned; no gradient to query and keys | [04](04_keys_and_values.ipynb#cell-id=gradient-text) |
# | harmonic mean | 조화평균 | a mean that stays near the smaller of two numbers | [09](09_bleu.ipynb#cell-id=recall-read) |
# | head (multi-head attention) | 헤드 (멀티 헤드 어텐션) | one of several attentions side by side | [11](11_transformer.ipynb#cell-id=heads-text) |
# | heat map | 히트맵 | a table of numbers drawn as shades, here the attention weights | [05](05_attention.ipynb#cell-id=heat-text) |
# | hidden size | 은닉 크기 (은닉 상태의 크기) | how many numbers a hidden state has, H | [01](01_rnn.ipynb#cell-id=cell-formula) |
# | hidden state | 은닉 상태 (히든 스테이트) | h or s, what a recurrent network carries on | [01](01_rnn.ipynb#cell-id=order-text) |
# | hypothesis | 가설 | a candidate translation, finished or not | [09](09_bleu.ipynb#cell-id=accuracy-text) |
# | induction head | 인덕션 헤드 (유도 헤드, 귀납 헤드) | a head that finds where this token came before, and copies what followed it there | [11](11_transformer.ipynb#cell-id=lookup-end) |
# | inference | 추론 | using a trained model | [07](07_teacher_forcing.ipynb#cell-id=note-text) |
# | initialization | 초기화 | the numbers with which training begins | [01](01_rnn.ipynb#cell-id=cell-formula) |
# | input feeding | 인풋 피딩 | s̃ of this step is part of the next step's input | [05](05_attention.ipynb#cell-id=ex-feeding-decoder-text) |
# | input gate | 입력 게이트 | how much of the candidate is written into the cell state | [02](02_lstm.ipynb#cell-id=one-number-text) |
# | interpretability | 해석 가능성 | whether you can say why a model does what it does | [05c](05c_explanation.ipynb#cell-id=same-but-text) |
# | Jacobian matrix | 야코비 행렬 (야코비안) | how much each number of one vector changes with each number of another | [02](02_lstm.ipynb#cell-id=road-check-text) |
# | kernel | 커널 | how much a neighbor counts, by its distance | [04b](04b_kernel_regression.ipynb#cell-id=kernel-text) |
# | kernel regression | 커널 회귀 | a mean of known values, weighted by closeness | [04b](04b_kernel_regression.ipynb#cell-id=kernel-text) |
# | key strength | 키 강도 | a number that sharpens a comparison by cosine | [04](04_keys_and_values.ipynb#cell-id=length-read) |
# | key, query, value | 키, 쿼리, 밸류(값) | what an entry is found by, what is sought, what is returned | [04](04_keys_and_values.ipynb#cell-id=first-read) |
# | label bias | 레이블 편향 (라벨 편향) | a model that must spend all probability on the next word cannot say that what follows will be bad | [08](08_beam_search.ipynb#cell-id=synonyms-read) |
# | label smoothing | 라벨 스무딩 (레이블 스무딩) | every word gets a little probability in the target, not only the right one | [08](08_beam_search.ipynb#cell-id=synonyms-read) |
# | language model | 언어 모델 | gives a probability to the next token | [01](01_rnn.ipynb#cell-id=language-text) |
# | latent space | 잠재 공간 | the space of a network's states, whose axes have no names | [06](06_scores.ipynb#cell-id=worlds-text) |
# | layer normalization | 층 정규화 (레이어 정규화) | a vector shifted and scaled to mean 0, variance 1 | [11](11_transformer.ipynb#cell-id=stream-text) |
# | leak | 정보 누출 (누수) | the answer can be read from the input, so the loss means nothing | [11](11_transformer.ipynb#cell-id=unmasked-read) |
# | learning rate | 학습률 | how long a step the gradient is followed | [01](01_rnn.ipynb#cell-id=step-text) |
# | leave-one-out cross-validation | 단일 관측값 제거 교차 검증 (LOOCV) | each point is predicted from all the others | [04b](04b_kernel_regression.ipynb#cell-id=bandwidth-read) |
# | length penalty | 길이 페널티 (길이 정규화) | divides log-probabilities, so that long sentences have a chance | [08](08_beam_search.ipynb#cell-id=length-text) |
# | linear map | 선형 변환 (선형 매핑) | a matrix times a vector | [06](06_scores.ipynb#cell-id=general-text) |
# | log-probability | 로그 확률 | log p, in nats; sums where probabilities multiply | [08](08_beam_search.ipynb#cell-id=logs-text) |
# | logit | 로짓 | a number, of any sign, that a softmax turns into a probability | [01](01_rnn.ipynb#cell-id=language-text) |
# | long-term dependency | 장기 의존성 | a word that depends on another one far back | [01b](01b_gradients.ipynb#cell-id=reach-text) |
# | loss | 손실 (손실 함수) | a number that says how wrong the model is, and that training reduces | [01](01_rnn.ipynb#cell-id=language-text) |
# | LSTM | LSTM (장단기 메모리) | a recurrent cell with gates and a cell state | [02](02_lstm.ipynb#cell-id=one-number-text) |
# | mask | 마스크 | booleans, True = a real token that may be attended | [03](03_seq2seq.ipynb#cell-id=padding-text) |
# | metric learning | 거리 학습 (메트릭 러닝) | learn what counts as near | [04b](04b_kernel_regression.ipynb#cell-id=learn-text) |
# | minimum Bayes risk (MBR) | 최소 베이즈 위험 | choose the sample that all the others are, on average, closest to | [08b](08b_decoding.ipynb#cell-id=risk-text) |
# | mode | 최빈값 | the single most probable sentence | [08](08_beam_search.ipynb#cell-id=why-proof-read) |
# | n-gram | n그램 | n tokens in a row | [09](09_bleu.ipynb#cell-id=ngrams-text) |
# | nat | 나트 (자연로그 단위) | the unit of a natural logarithm: what has probability 1/e costs one | [01](01_rnn.ipynb#cell-id=language-text) |
# | neural network | 신경망 (인공 신경망) | a function with many numbers that are learned from examples | [00](00_start.ipynb#cell-id=first-read) |
# | nonlinearity | 비선형 함수 (활성화 함수) | a function between two linear maps: tanh, σ | [01](01_rnn.ipynb#cell-id=cell-formula) |
# | nonparametric | 비모수적 | keeps the data, and not a fixed number of weights | [04b](04b_kernel_regression.ipynb#cell-id=measure-read) |
# | norm | 노름 | the length of a vector, or the size of a matrix: the root of the sum of its squares | [02b](02b_long_memory.ipynb#cell-id=roads-text) |
# | normalization | 정규화 | dividing numbers by their sum, so that they sum to 1; in 06, making their mean 0 and variance 1 | [04](04_keys_and_values.ipynb#cell-id=soft-text) |
# | nucleus (top-p) sampling | top-p 샘플링 (뉴클리어스 샘플링) | draw from the fewest tokens that reach probability p | [08b](08b_decoding.ipynb#cell-id=sampling-text) |
# | odd (function) | 홀함수 | f(−x) = −f(x): what concat is without a bias | [06](06_scores.ipynb#cell-id=worlds-read) |
# | one-hot | 원-핫 | a 1 in one place and 0 in all others | [01](01_rnn.ipynb#cell-id=cell-text) |
# | optimizer | 옵티마이저 (최적화 알고리즘) | decides how far an update moves each parameter | [01](01_rnn.ipynb#cell-id=optimizer-text) |
# | oracle | 오라클 | something slow that is certainly right | [08](08_beam_search.ipynb#cell-id=exhaustive-read) |
# | orthogonal | 직교 (직교 행렬) | of a matrix: it turns or mirrors, and does not stretch | [01b](01b_gradients.ipynb#cell-id=initializations-text) |
# | output gate | 출력 게이트 | how much of the cell state shows in the hidden state | [02](02_lstm.ipynb#cell-id=equations) |
# | overfitting | 과적합 | right on what was trained on, wrong on what is new | [01](01_rnn.ipynb#cell-id=writer-read) |
# | p-value | p값 (유의 확률) | the share of chance results at least as large as the real one | [09b](09b_confidence.ipynb#cell-id=swap-text) |
# | padding | 패딩 | filling short rows of a batch; never a real token | [03](03_seq2seq.ipynb#cell-id=padding-text) |
# | paired bootstrap | 짝지은 부트스트랩 (페어드 부트스트랩) | two systems on the same drawn test sets: how often does which win? | [09b](09b_confidence.ipynb#cell-id=paired-text) |
# | parameter | 파라미터 (매개변수, 가중치) | a number that training changes | [00](00_start.ipynb#cell-id=first-read) |
# | particle | 조사 | a small word joined to a Korean noun that says what it does: topic, object, place | [00](00_start.ipynb#cell-id=corpus-text) |
# | perplexity | 펄플렉서티 (퍼플렉시티, 혼란도) | exp of the mean negative log-likelihood per token | [01](01_rnn.ipynb#cell-id=perplexity-text) |
# | positional encoding | 위치 인코딩 (포지셔널 인코딩) | a vector that marks the place of a token | [11](11_transformer.ipynb#cell-id=bag-read) |
# | pre-activation | 활성화 이전 값 | what goes into a nonlinearity | [01](01_rnn.ipynb#cell-id=cell-formula) |
# | pre-norm, post-norm | 사전 층 정규화 (Pre-LN), 사후 층 정규화 (Post-LN) | layer normalization before each sublayer, or after the addition | [11](11_transformer.ipynb#cell-id=depth-read) |
# | precision, recall, F | 정밀도, 재현율, F 점수 | share of what was said that is right; share of what is right that was said; their harmonic mean | [09](09_bleu.ipynb#cell-id=precision-text) |
# | prefix | 프리픽스 (지금까지 생성한 앞부분) | what has been written of a sentence so far | [08](08_beam_search.ipynb#cell-id=problem-text) |
# | QK-norm | QK 정규화 (쿼리-키 정규화) | queries and keys divided by their lengths, their cosine times a learned number | [06](06_scores.ipynb#cell-id=angle-read) |
# | recurrent network (RNN) | 순환 신경망 | the state of one step goes into the next | [01](01_rnn.ipynb#cell-id=order-text) |
# | reference | 참조 번역 | a person's translation, with which others are compared | [09](09_bleu.ipynb#cell-id=accuracy-text) |
# | repetition penalty | 반복 페널티 | makes tokens that were already written less probable | [08b](08b_decoding.ipynb#cell-id=sampling-text) |
# | residual connection (residual stream) | 잔차 연결 | each layer adds its result to its input | [11](11_transformer.ipynb#cell-id=stream-text) |
# | sampling | 샘플링 (표본 추출) | draw the next token at random, by its probability | [01](01_rnn.ipynb#cell-id=draw-word-text) |
# | saturation | 포화 | where a softmax or tanh barely changes with its input, so that its gradient is near 0 | [04](04_keys_and_values.ipynb#cell-id=gradient-read) |
# | scaled dot (score) | 스케일드 내적 스코어 (스케일드 닷-프로덕트 어텐션) | sᵀh / √H, so that a large H does not make extreme weights | [06](06_scores.ipynb#cell-id=five) |
# | scheduled sampling | 스케줄드 샘플링 | in training, a coin feeds the right word or the model's prediction | [07b](07b_scheduled_sampling.ipynb#cell-id=mix-text) |
# | score (energy) | 어텐션 스코어 (어텐션 점수) | e, before the softmax | [04](04_keys_and_values.ipynb#cell-id=first-read) |
# | search error | 탐색 오류 | a more probable sentence existed and search missed it | [08](08_beam_search.ipynb#cell-id=errors-text) |
# | self-attention | 셀프 어텐션 (자기 어텐션) | queries, keys and values come from the same sentence | [11](11_transformer.ipynb#cell-id=self-text) |
# | sequence to sequence (seq2seq) | 시퀀스 투 시퀀스 | an encoder and a decoder, trained as one | [03](03_seq2seq.ipynb#cell-id=parts-text) |
# | shortcut | 지름길 | attention's path for the gradient, past the steps in between | [05b](05b_two_decoders.ipynb#cell-id=gradient-text) |
# | sign test | 부호 검정 | how often fair coins would fall so unevenly | [07b](07b_scheduled_sampling.ipynb#cell-id=ex-sign-test-text) |
# | signature | 시그니처 | the line that says how a BLEU was computed | [09](09_bleu.ipynb#cell-id=corpus-agree-read) |
# | similarity | 유사도 | how well a query and a key fit | [04](04_keys_and_values.ipynb#cell-id=soft-text) |
# | singular value | 특잇값 | the largest one is the most by which a matrix can stretch a vector | [01b](01b_gradients.ipynb#cell-id=powers-read) |
# | smoothing (BLEU) | 스무딩 (평활화) | what replaces a count of 0 | [09](09_bleu.ipynb#cell-id=orders-read) |
# | soft attention | 소프트 어텐션 | a weighted mean of all values, which passes a gradient | [04](04_keys_and_values.ipynb#cell-id=gradient-text) |
# | softmax | 소프트맥스 | exp of each number, divided by their sum | [04](04_keys_and_values.ipynb#cell-id=softmax-text) |
# | spectral radius | 스펙트럼 반지름 | the largest absolute eigenvalue of a matrix | [01b](01b_gradients.ipynb#cell-id=powers-read) |
# | start token, end token (`<sos>`, `<eos>`) | 시작 토큰, 종료 토큰 | where a sentence begins and stops | [03](03_seq2seq.ipynb#cell-id=parts-text) |
# | stopping rule | 종료 조건 (종료 규칙) | when a search may end | [08](08_beam_search.ipynb#cell-id=stop-text) |
# | subword | 서브워드 (하위 단어) | a piece of a word from a learned list | [10](10_translator.ipynb#cell-id=pieces-text) |
# | teacher forcing | 교사 강요 (티처 포싱) | feed the gold token, whatever the model would have said | [07](07_teacher_forcing.ipynb#cell-id=note-text) |
# | teacher forcing ratio | 교사 강요 비율 | the probability that a step of the decoder is fed the right word | [07b](07b_scheduled_sampling.ipynb#cell-id=mix-text) |
# | temperature | 온도 | scores are divided by it before the softmax | [04](04_keys_and_values.ipynb#cell-id=temperature-text) |
# | tensor | 텐서 | PyTorch's array of numbers | [00](00_start.ipynb#cell-id=ex-shares-text) |
# | time step | 타임 스텝, 시점 | one round of a recurrent network | [01](01_rnn.ipynb#cell-id=cell-formula) |
# | token | 토큰 | what the model reads and writes: a word or a piece of one | [00](00_start.ipynb#cell-id=corpus-text) |
# | tokenization | 토큰화 | cutting text into tokens | [09](09_bleu.ipynb#cell-id=tokens-text) |
# | top-k (sampling) | top-k 샘플링 | draw only from the k most probable tokens | [08b](08b_decoding.ipynb#cell-id=sampling-text) |
# | Transformer | 트랜스포머 | attention, positions and small networks, without recurrence | [11](11_transformer.ipynb#cell-id=self-text) |
# | transpose | 전치 | rows become columns | [01b](01b_gradients.ipynb#cell-id=bptt-read) |
# | underfitting | 과소적합 | too rigid for the data, wrong even on what was trained on | [04b](04b_kernel_regression.ipynb#cell-id=bandwidth-read) |
# | underflow | 언더플로 | a number too small for the computer becomes 0 | [08](08_beam_search.ipynb#cell-id=underflow-read) |
# | unknown word | 미등록 단어 (OOV) | a word that training never showed | [10](10_translator.ipynb#cell-id=unknown-predict) |
# | unroll | 시간 축으로 펼치기 (펼침) | draw a loop as a chain, a copy for each step | [01](01_rnn.ipynb#cell-id=unroll-text) |
# | update | 업데이트 (갱신) | one step of training: a batch, its gradient, and every number moved a little | [00](00_start.ipynb#cell-id=before-read) |
# | utility | 효용 | how good one sentence is where another is right; the vote of MBR adds it up | [08b](08b_decoding.ipynb#cell-id=risk-text) |
# | validation split, test split | 검증 데이터, 테스트 데이터 | the first chooses settings and the moment to stop; the second answers once, at the end | [10](10_translator.ipynb#cell-id=leak-text) |
# | vanish (gradients) | 기울기 소실 (그래디언트 소실) | shrink from step to step, backward | [01b](01b_gradients.ipynb#cell-id=reach-text) |
# | vocabulary | 어휘 집합 (단어 집합) | the list of all tokens, each with its number | [01](01_rnn.ipynb#cell-id=cell-text) |
# | warm-up | 웜업 (학습률 웜업) | the learning rate rises from 0 during the first updates | [11](11_transformer.ipynb#cell-id=depth-read) |
# | weight tying | 가중치 묶기 (가중치 공유) | one matrix used in two places | [03b](03b_bottleneck.ipynb#cell-id=dictation-text) |
# | weighted sum (weighted average) | 가중합 (가중평균) | the values, each times its weight, added up | [04](04_keys_and_values.ipynb#cell-id=soft-read) |
# | word order | 어순 | Korean puts the verb last, English after the subject | [05](05_attention.ipynb#cell-id=train-text) |

# %% [markdown] id="everyday"
# ### Words of the field that every chapter uses
#
# | English | 한국어 | in a few words |
# |---|---|---|
# | corpus | 말뭉치 (코퍼스) | a collection of texts; here mostly of sentences with their translations |
# | differentiable | 미분 가능한 | it has a slope, so that gradients can pass through it |
# | dot-product attention | 닷-프로덕트 어텐션 | attention whose score is the dot product |
# | latent feature | 숨겨진 특징값 (잠재 특징) | what one number of a network's state stands for |
# | machine translation | 기계 번역 | translation by a program; *neural* where a network does it |
# | many-to-many | 다대다 | a sequence in, a sequence out |
# | matrix product | 행렬곱 (배치 행렬곱) | each row times each column, `@`; for a batch, of each pair of matrices |
# | scalar | 스칼라 | a single number |
# | sentence embedding | 문장 임베딩 | one vector for a whole sentence |
# | source language, target language | 소스 언어, 대상 언어 | the one that is read; the one that is written |
# | word embedding | 단어 임베딩 (word2vec) | the vector of a word |
