# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] id="title"
# # 노트에서 책으로 (From the notes)
#
# *This page is in Korean. It leads readers of five Korean notes, from which the book grew, to the
# places where the book takes them up.*
#
# 이 책은 어텐션을 배우고 가르치던 분들이 한국어로 정리해 공개한 노트 다섯 편에서 출발했습니다. 그
# 노트를 읽고 오셨다면 여기서 시작하세요. 노트 002의 클래스를 실행해 보고, 노트의 어느 부분이 이
# 책의 어디에 있는지, 노트의 기호가 책에서는 무엇인지, 책이 노트와 다르게 본 곳은 어디인지
# 정리했습니다.
#
# **준비물.** 없습니다. 링크를 누르면 해당하는 셀로 갑니다. 본문은 영어이지만 주요 용어에는 처음
# 나올 때 한국어를 함께 적었고, [용어집](A_notation.ipynb#cell-id=glossary)에 모아 두었습니다.
#
# **시간.** 10분.

# %% id="setup" tags=["setup"]
# set-up
import torch
from torch import nn

from attnlib.model import DotAttention, GeneralAttention

torch.set_num_threads(1)
_ = torch.manual_seed(1)

# %% [markdown] id="thanks"
# ## 고맙습니다
#
# 다섯 분의 노트가 없었다면 이 책도 없었습니다. 막 이해한 것을 수식까지 붙여 글로 써 보는 것만큼
# 좋은 공부는 없고, 그 글을 누구나 볼 수 있게 내놓는 데에는 용기가 필요합니다. 책이 노트와 다른 말을
# 할 수 있는 것도, 노트가 확인해 볼 수 있을 만큼 구체적으로 쓰인 덕분입니다.
#
# | 노트 | 쓴 분 | 내용 |
# |---|---|---|
# | 000 | finddme | [Attention in sequence to sequence](https://finddme.github.io/natural%20language%20processing/2019/11/12/Attention/). Bahdanau, Cho, Bengio의 논문을 순서대로 따라갑니다. 저희가 읽었을 때는 중간에 끊겨 있었는데, 그 뒤에 완성되었습니다. |
# | 001 | yunhyechoi | [Attention Mechanism](https://github.com/yunhyechoi/paper-review/blob/1dd8d08710804576e7ccc6ce6508c2347410f6f0/LLM/Attention%20Is%20All%20You%20Need/README.md). 논문 리뷰 모음에 있는 글로, RNN에서 어텐션까지 다룹니다. |
# | 002 | 김기현 | [어텐션](https://kh-kim.gitbook.io/natural-language-processing-with-pytorch/00-cover-9/03-attention). 책 *Natural Language Processing with PyTorch*의 한 절입니다(CC BY-NC-SA 2.0 KR). |
# | 003 | devsaka | [Attention, 어텐션](https://github.com/catSirup/catSirup.github.io/blob/ef9a8bdf708baf361d30e532b7b83e7e67dfafb8/_posts/2020-03-27-attention.md). 닷-프로덕트 어텐션을 단계별로 설명합니다. |
# | 004 | 글쓴이를 모릅니다 | *Seq-to-Seq Attention*. seq2seq에서 BLEU까지의 강의 필기이고, 그림은 남아 있지 않습니다. 본인의 글이라면 알려 주세요. |
#
# 노트를 쓴 분들에게도 스승이 된 글이 있고, 이 책도 그 글들에서 배웠습니다. 001과 003은 [딥 러닝을
# 이용한 자연어 처리 입문](https://wikidocs.net/22893)을 참고했고, 001은 Jay Alammar의 [번역기
# 애니메이션](https://jalammar.github.io/visualizing-neural-machine-translation-mechanics-of-seq2seq-models-with-attention/)도
# 소개합니다. 002에 실린 길이별 성능 그래프의 출처는 [스탠퍼드
# CS224n](https://web.stanford.edu/class/cs224n/)이고, 000이 설명하는 논문은 [Bahdanau et al.
# (2015)](D_papers.ipynb#cell-id=bahdanau-2015)입니다.
#
# 노트에서 인용한 문장과 코드의 권리는 쓴 분들에게 있으며, 이 책의 라이선스가 적용되지 않습니다.

# %% [markdown] id="class-text"
# ## 노트 002의 클래스
#
# 노트 002는 PyTorch 클래스 하나로 끝납니다. 따옴표와 공백을 이 책의 형식에 맞추고 `noqa` 주석을
# 붙였을 뿐, 그대로 옮겼습니다.


# %% id="class"
class Attention(nn.Module):
    def __init__(self, hidden_size):
        super(Attention, self).__init__()  # noqa: UP008

        self.linear = nn.Linear(hidden_size, hidden_size, bias=False)
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, h_src, h_t_tgt, mask=None):
        # |h_src| = (batch_size, length, hidden_size)
        # |h_t_tgt| = (batch_size, 1, hidden_size)
        # |mask| = (batch_size, length)

        query = self.linear(h_t_tgt.squeeze(1)).unsqueeze(-1)
        # |query| = (batch_size, hidden_size, 1)

        weight = torch.bmm(h_src, query).squeeze(-1)
        # |weight| = (batch_size, length)
        if mask is not None:
            # Set each weight as -inf, if the mask value equals to 1.
            # Since the softmax operation makes -inf to 0, masked weights would be set to 0 after softmax operation.
            # Thus, if the sample is shorter than other samples in mini-batch, the weight for empty time-step would be set to 0.
            weight.masked_fill_(mask, -float("inf"))
        weight = self.softmax(weight)

        context_vector = torch.bmm(weight.unsqueeze(1), h_src)
        # |context_vector| = (batch_size, 1, hidden_size)

        return context_vector


print(Attention(4))


# %% [markdown] id="forward-text"
# 이 책에서는 [Luong et al. (2015)](D_papers.ipynb#cell-id=luong-2015)의 이름을 따라 **general
# 스코어**라고 부르며, `attnlib`에는 `GeneralAttention`으로 들어 있습니다. 둘이 같은지 보려면 두
# 가지만 맞추면 됩니다.
#
# - `nn.Linear`의 가중치는 수식에 나오는 `W`의 **전치**입니다.
# - 노트의 마스크는 **패딩** 자리가 True이고, 이 책의 마스크는 **진짜 토큰** 자리가 True입니다.
#   그래서 `~mask`를 넘깁니다.

# %% id="forward"
note, general = Attention(4), GeneralAttention(4, 4)
general.project.weight.data.copy_(note.linear.weight.detach().T)  # W_a

states = torch.randn(2, 5, 4)  # |h_src|: 문장 2개, 단어 5개
step = torch.randn(2, 1, 4)  # |h_t_tgt|
mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])  # 둘째 문장은 단어 3개

for name, padding, real in (("마스크 없이", None, None), ("마스크를 쓰면", ~mask, mask)):
    theirs = note(states, step, padding)
    ours, weights = general(step, states, states, real)
    print(f"{name}: 가장 큰 차이 {(theirs - ours).abs().max():.5f}")
print(f"둘째 문장의 가중치: {[round(w, 3) for w in weights[1, 0].tolist()]}")

# %% [markdown] id="forward-read"
# 마스크가 있든 없든 같은 함수입니다. 노트의 클래스는 컨텍스트만 돌려주고 `attnlib`는 가중치도
# 돌려줍니다. 가중치가 있어야 히트맵을 그릴 수 있습니다.

# %% [markdown] id="columns-text"
# ### 가져다 쓸 때 조심할 네 가지
#
# **수식의 방향.** 노트의 식은 `w = softmax(hᵀ W H)`와 `c = H w`입니다. `H`의 열 하나가 단어
# 하나인데, 첫째 식에서 나온 `w`는 **행**이므로 `c = H wᵀ`이라야 맞습니다. 종이 위에서는 그냥
# 지나치기 쉽지만, 프로그램은 오류를 내고 멈춥니다.

# %% id="columns"
H, w = torch.randn(4, 5), torch.rand(1, 5).softmax(-1)  # (H, S), (1, S)
for name, right in (("H w", w), ("H wᵀ", w.T)):
    try:
        print(f"{name:5} {tuple((H @ right).shape)}")
    except RuntimeError:
        print(f"{name:5} 모양이 맞지 않습니다")

# %% [markdown] id="steps-text"
# **한 번에 한 스텝.** 디코더의 여러 스텝을 한꺼번에 넣으면 `squeeze(1)`이 아무 일도 하지 않아
# `bmm`이 4차원 텐서를 받고 오류를 냅니다.

# %% id="steps"
for steps in (1, 2):
    queries = torch.randn(2, steps, 4)
    try:
        theirs = tuple(note(states, queries).shape)
    except RuntimeError:
        theirs = "모양이 맞지 않습니다"
    ours = tuple(general(queries, states, states)[0].shape)
    print(f"스텝 {steps}개: 노트 {theirs}, attnlib {ours}")

# %% [markdown] id="dimensions-text"
# **`bmm`과 `matmul`.** 2차원 이상의 텐서를 받아 뒤의 두 차원을 곱한다는 노트의 설명은
# `torch.matmul`에 맞습니다. `torch.bmm`은 3차원만 받고 브로드캐스팅도 하지 않습니다.

# %% id="dimensions"
pairs = (
    ((3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((1, 3, 4), (2, 4, 5)),
    ((6, 2, 3, 4), (6, 2, 4, 5)),
)
for left, right in pairs:
    shapes = []
    for product in (torch.bmm, torch.matmul):
        try:
            shapes.append(str(tuple(product(torch.randn(left), torch.randn(right)).shape)))
        except RuntimeError:
            shapes.append("오류")
    print(f"{str(left):13}{str(right):15}bmm: {shapes[0]:12}matmul: {shapes[1]}")

# %% [markdown] id="mask-text"
# **마스크.** `masked_fill_`은 받은 텐서를 그 자리에서 바꿉니다. True의 뜻을 거꾸로 알고 넘겨도
# 오류가 나지 않습니다.

# %% id="mask"
scores = torch.tensor([[1.0, 2.0, 0.5]]).repeat(3, 1)
padding = torch.tensor([[0, 0, 1], [1, 1, 0], [1, 1, 1]]).bool()
scores.masked_fill_(padding, -float("inf"))
kinds = ("패딩이 끝에", "거꾸로", "전부 패딩")
for kind, before, after in zip(kinds, scores.tolist(), scores.softmax(-1)):
    print(f"{kind}: 스코어 {before}, 가중치 {[round(x, 2) for x in after.tolist()]}")

# %% [markdown] id="mask-read"
# 첫 줄이 맞습니다. 둘째 줄은 마스크가 뒤집혀 가중치가 모두 패딩으로 갔는데도 오류가 없습니다. 셋째
# 줄은 0/0이라 NaN이 되고, 역전파를 하면 그래디언트까지 망가집니다. 패딩을 처리하는 네 가지 방법은
# [5장](05_attention.ipynb#cell-id=mask-text)에서 비교합니다.

# %% [markdown] id="where"
# ## 노트의 내용은 책의 어디에 있나
#
# | 노트 | 내용 | 책 |
# |---|---|---|
# | 001 | RNN: 순서대로 들어와 쌓이는 정보, `h_t`의 식 | [1장](01_rnn.ipynb#cell-id=cell-text) |
# | 001 | $y_t = W_{hy}h_t + b_y$, 다음 단어 예측 | [1장](01_rnn.ipynb#cell-id=language-text) |
# | 001 | 뒤로 갈수록 희미해지는 처음 단어들 | [1장](01_rnn.ipynb#cell-id=back-text), [1b](01b_gradients.ipynb#cell-id=reach-text) |
# | 001, 003 | LSTM: 입력·망각·출력 게이트와 cell state | [2장](02_lstm.ipynb#cell-id=equations) |
# | 001 | cell state에는 linear한 변형만 | [2장](02_lstm.ipynb#cell-id=road-text) |
# | 004 | LSTM에서도 일어나는 그래디언트 소실 | [2장](02_lstm.ipynb#cell-id=reach-text) |
# | 001, 004 | many-to-many(다대다), 입력과 출력의 길이 | [1장](01_rnn.ipynb#cell-id=order-text), [3장](03_seq2seq.ipynb#cell-id=lengths-text) |
# | 001, 004 | 인코더와 디코더, 문장 임베딩, 서로 다른 파라미터 | [3장](03_seq2seq.ipynb#cell-id=parts-text) |
# | 004 | 시작 토큰과 종료 토큰 | [3장](03_seq2seq.ipynb#cell-id=shift-text) |
# | 모두 | 고정된 크기의 벡터와 정보 손실 | [3b](03b_bottleneck.ipynb#cell-id=dictation-text), [5장](05_attention.ipynb#cell-id=bottleneck-text) |
# | 004 | 입력 문장을 뒤집는 기법 | [3b](03b_bottleneck.ipynb#cell-id=reverse-text) |
# | 000 | 정방향과 역방향을 이어 붙인 $h_j$ | [3b](03b_bottleneck.ipynb#cell-id=both-ways-text) |
# | 002 | 파이썬 딕셔너리, `is_same`, `key_value_func` | [4장](04_keys_and_values.ipynb#cell-id=dictionary-text) |
# | 002 | `how_similar`, 'puppy', 2.823 | [4장](04_keys_and_values.ipynb#cell-id=soft-text) |
# | 002 | 단어 임베딩 벡터(`word2vec` 대신 책의 번역기가 배운 벡터)와 코사인 유사도 | [4장](04_keys_and_values.ipynb#cell-id=vectors-text), [4장](04_keys_and_values.ipynb#cell-id=loop-read) |
# | 002 | 미분할 수 있어야 하는 까닭 | [4장](04_keys_and_values.ipynb#cell-id=gradient-text) |
# | 003 | Attention(Q, K, V) = Attention Value | [4장](04_keys_and_values.ipynb#cell-id=batch-text), [11장](11_transformer.ipynb#cell-id=idea) |
# | 002, 003 | Query, Keys, Values는 번역에서 무엇인가 | [5장](05_attention.ipynb#cell-id=idea) |
# | 003, 004 | 닷-프로덕트 어텐션: 스코어, 소프트맥스, 가중합, 컨텍스트 벡터 | [5장](05_attention.ipynb#cell-id=hand-text) |
# | 000, 001, 003 | 매 스텝 새로 만드는 컨텍스트 | [5장](05_attention.ipynb#cell-id=dynamic-text) |
# | 002, 003, 004 | 이어 붙이기, $\tilde h$ 또는 $v_t$, $\hat y$ | [5장](05_attention.ipynb#cell-id=s-tilde-text) |
# | 004 | 디코더 상태의 두 역할: 다음 단어 예측, 인코더 상태 고르기 | [5장](05_attention.ipynb#cell-id=s-tilde-text) |
# | 002 | 문장 길이별 번역 성능 | [5장](05_attention.ipynb#cell-id=length-text) |
# | 002, 004 | 번역에서 어텐션이 동작하는 예, 얼라인먼트 | [5장](05_attention.ipynb#cell-id=heat-text) |
# | 000 | Bahdanau 디코더의 다섯 단계와 끊긴 수식 | [5b](05b_two_decoders.ipynb#cell-id=equations) |
# | 003 | $t$ 시점의 예측에 필요한 것 | [5b](05b_two_decoders.ipynb#cell-id=perturb-text) |
# | 004 | 백프롭의 두 방향, 그래디언트의 지름길 | [5b](05b_two_decoders.ipynb#cell-id=gradient-text) |
# | 000 | h1×0.9이면 90% focus | [5c](05c_explanation.ipynb#cell-id=norm-text) |
# | 004 | 단어마다의 히든 스테이트, 해석 가능성 | [5c](05c_explanation.ipynb#cell-id=neighbours-text) |
# | 002, 003, 004 | dot, general, concat | [6장](06_scores.ipynb#cell-id=five) |
# | 002 | latent 공간의 선형 관계 | [6장](06_scores.ipynb#cell-id=worlds-text) |
# | 004 | Teacher Forcing, 섞어 쓰기 | [7장](07_teacher_forcing.ipynb#cell-id=note-text), [7b](07b_scheduled_sampling.ipynb#cell-id=mix-text) |
# | 004 | 그리디 디코딩, 모든 경우 따져 보기, 빔 서치 | [8장](08_beam_search.ipynb#cell-id=greedy-text), [8장](08_beam_search.ipynb#cell-id=exhaustive-text), [8장](08_beam_search.ipynb#cell-id=beam-text) |
# | 004 | 로그를 붙여 합으로 | [8장](08_beam_search.ipynb#cell-id=logs-text) |
# | 004 | 종료 조건: 최대 `t` 스텝(`max_length`), 가설 `n`개(*k finished*) | [8장](08_beam_search.ipynb#cell-id=stop-text) |
# | 004 | 길어질수록 작아지는 값 | [8장](08_beam_search.ipynb#cell-id=length-text) |
# | 004 | accuracy, precision, recall, f-score | [9장](09_bleu.ipynb#cell-id=accuracy-text), [9장](09_bleu.ipynb#cell-id=precision-text), [9장](09_bleu.ipynb#cell-id=recall-text) |
# | 004 | 순서를 보는 n그램, brevity penalty | [9장](09_bleu.ipynb#cell-id=ngrams-text), [9장](09_bleu.ipynb#cell-id=brevity-text) |
# | 003 | Transformer | [11장](11_transformer.ipynb#cell-id=self-text) |
#
# 각 장에서 자세히 다루지 않거나 접어 둔 내용입니다.
#
# - **구글링과 네이버 검색**(002): 어텐션에서 디코더는 인코더에 쿼리를 날리는데, 쿼리가 좋아야 좋은
#   답을 얻습니다. 검색이 서툰 부모님이나 어린 자녀도 연습하면 검색어를 더 잘 만들게 되듯이,
#   디코더도 학습하면서 쿼리 만드는 법을 익힙니다. 다만 아래에서 보듯 그 일을 꼭 `W`가 맡는 것은
#   아닙니다.
# - **대화하거나 글을 읽는 사람**(000): 사람은 들어온 정보 전체가 아니라 중요한 문장과 단어에 집중해
#   기억하고 이해합니다. 어텐션(attention, 주의)이라는 이름도 여기서 왔습니다. 다만 실제로 계산되는
#   것은 가중평균입니다.
# - **latent feature**(002): 신경망 안의 차원 하나하나는 이름을 붙일 수 없는 숨겨진 특징값이고,
#   `decoder_output`이 "지금까지 번역된 내용"이라는 것은 짐작입니다. 책에서도 짐작이라고만 합니다.
# - **종료 조건**(004): 최대 `t` 스텝에서 멈추거나, 완성된 가설이 `n`개 모이면 멈춥니다. 두 규칙
#   모두 더 나은 가설이 아직 남아 있는지는 보지 않으므로, 책은 그것을 확인하고 멈추는 규칙을 하나 더
#   소개합니다. [8장](08_beam_search.ipynb#cell-id=stop-text)

# %% [markdown] id="letters"
# ## 노트의 기호와 책의 기호
#
# | 뜻 | 노트 | 책 | 코드 |
# |---|---|---|---|
# | 입력과 상태의 가중치 (RNN) | 001 $W_{xh}$, $W_{hh}$ | $W_{ih}$, $W_{hh}$ | `weight_ih`, `weight_hh` |
# | 편향 (RNN) | 001 $b_h$ | $b_{ih} + b_{hh}$ | `bias_ih`, `bias_hh` |
# | 출력 (소프트맥스 이전) | 001 $y_t$ | $y_t$ (1장), 로짓 | `logits` |
# | 인코더 상태 | 000 $h_j$, 002 $h^{src}$, $H^{src}$, 003 $h_i$ | $h_j$ | `keys`, `values` |
# | 디코더 상태 | 002 $h_t^{tgt}$, 003 $s_t$ | $s_t$ | `query` |
# | 이전 스텝의 디코더 상태 | 000 $s_{i-1}$ | $s_{t-1}$ | `state` |
# | 문장 길이, 은닉 크기, 단어 수 | 003 $N$, 002 $hs$, $\lvert V_{tgt} \rvert$ | $S$, $H$, $V$ | |
# | 어텐션 스코어 | 003 $score(s_t \cdot h_i)$, $e^t$ | $e_{tj} = \mathrm{score}(s_t, h_j)$ | `scores` |
# | 어텐션 가중치 (어텐션 분포) | 002 $w$, 003 $\alpha^t$ | $\alpha_{tj}$ | `weights` |
# | 어텐션 값, 컨텍스트 벡터 | 002 $c$, 003 $a_t$ | $c_t$ | `context` |
# | 선형 변환 | 002 $W$ | $W_a$ | `GeneralAttention` |
# | concat 스코어의 첫째 층 | 004 Wa | $W_a$ | `ConcatAttention` |
# | concat 스코어의 둘째 층 | 004 W2, Va | $v_a$ | `ConcatAttention` |
# | 이어 붙인 벡터 | 002 $[h_t^{tgt} ; c]$ (순서가 반대), 003 $v_t$ | $[c_t ; s_t]$ | `torch.cat` |
# | tanh를 지난 벡터 | 002 $\tilde h_t^{tgt}$ | $\tilde s_t$ | `features` |
# | 다음 단어의 확률 | 002 $\hat y_t$ | $p(y_t \mid y_{\lt t}, x)$ | `log_probs` |
# | 정답 | 004 GT | gold | `tgt_out` |
# | 종료 토큰 | 004 `<end>` | `<eos>` | |
# | 빔 크기 | 004 k | $K$ | `beam_size` |
#
# 003의 `a_t = Σ a^t_i h_i`에서 오른쪽의 `a`는 `α`입니다. [Luong et al.
# (2015)](D_papers.ipynb#cell-id=luong-2015)에서는 `a_t`가 가중치를 가리키므로 함께 읽을 때 헷갈리기
# 쉽습니다.

# %% [markdown] id="otherwise"
# ## 책이 다르게 본 것
#
# | 노트 | 노트의 말 | 책에서 확인한 것 |
# |---|---|---|
# | 000 | 어텐션은 기계번역을 위한 seq2seq에 가장 처음 도입되었다 | 신경망 번역에서는 맞습니다. 입력의 여러 부분에 가중치를 나누어 주고 골라 보는 방식은 그전에도 있었습니다. [Graves (2013)](D_papers.ipynb#cell-id=graves-2013)는 이 방식으로 손글씨를 생성했습니다. [5b](05b_two_decoders.ipynb#cell-id=equations) |
# | 000 | 두 벡터를 linear function에 넣어 스코어를 구한다 | 스코어를 선형 함수만으로 구하면 어떤 쿼리로 물어도 가중치가 똑같습니다. 그래서 사이에 tanh를 넣습니다. [5b](05b_two_decoders.ipynb#cell-id=linear-text) |
# | 000 | `s_{i-1}`과 컨텍스트를 이어 붙여 디코더에 넣는다 | Bahdanau의 디코더에서 컨텍스트는 이전 단어의 임베딩과 함께 입력이 되고, `s_{i-1}`은 순환 상태로 들어갑니다. [5b](05b_two_decoders.ipynb#cell-id=f-text) |
# | 001 | RNN은 입력과 출력의 길이가 같다 | 입력과 출력을 놓는 한 가지 방식일 뿐입니다. 같은 셀을 인코더와 디코더로 나누어 쓰면 길이가 달라도 됩니다. [3장](03_seq2seq.ipynb#cell-id=lengths-text) |
# | 002 | 2.823 | 2.823529…입니다. 반올림하면 2.824이고, 노트는 뒤를 잘랐습니다. [4장](04_keys_and_values.ipynb#cell-id=soft-text) |
# | 002 | softmax를 쓰면 유사도의 총합에서 차지하는 비율만큼 weight가 된다 | 유사도 자체가 아니라 `exp(유사도)`의 비율입니다. 노트의 숫자에 softmax를 쓰면 답은 2.824가 아니라 3.748입니다. [4장](04_keys_and_values.ipynb#cell-id=softmax-text) |
# | 002 | `ŷ_t`가 다음 스텝의 입력이 된다 | `ŷ_t`는 확률 분포입니다. 입력되는 것은 단어로, 학습할 때는 정답, 번역할 때는 그 분포에서 고른 단어입니다. [3장](03_seq2seq.ipynb#cell-id=shift-text), [7장](07_teacher_forcing.ipynb#cell-id=table-decoder-read) |
# | 002 | 선형 변환을 배우는 것 자체가 어텐션이다 | `W`가 없는 dot 스코어도 어텐션을 하고, 번역 성능은 general과 비슷하며 정렬은 additive에 뒤지지 않습니다. 노트도 뒤에서 말하듯, 디코더의 상태가 좋은 쿼리가 되도록 RNN이 배우기 때문으로 보입니다. [10b](10b_inside.ipynb#cell-id=ways-text), [5c](05c_explanation.ipynb#cell-id=alignment-text) |
# | 002 | 문장이 길어져도 성능이 크게 하락하지 않는다 | 쉬운 말뭉치에서는 학습한 길이까지만 그렇고, 사람이 쓴 문장에서는 (몇 분 학습한 모델로) 가장 긴 구간에서 떨어집니다. [5장](05_attention.ipynb#cell-id=real-text) |
# | 003 | 디코더의 모든 은닉 상태에서 softmax를 쓴다 | **인코더**의 모든 은닉 상태에서 씁니다. 디코더에서는 현재 시점의 은닉 상태 하나가 쿼리로 쓰일 뿐입니다. 같은 노트의 식에는 맞게 쓰여 있습니다. [5장](05_attention.ipynb#cell-id=dynamic-text) |
# | 004 | 소프트맥스를 통과시켜 로짓값으로 가져온다 | 로짓은 소프트맥스에 **들어가는** 값입니다. 나오는 값은 가중치입니다. [1장](01_rnn.ipynb#cell-id=language-text) |
# | 004 | 지름길에서는 어떤 타임스텝도 거치지 않는다 | 지름길은 `h_j`까지입니다. 단어에서 `h_j`까지는 인코더의 순환을 거칩니다. [5b](05b_two_decoders.ipynb#cell-id=reach-text) |
# | 004 | 길이가 짧으면 정확도 합 값을 낮춘다 | 합이 아니라 **기하평균**입니다. 깎는 비율은 길이의 비 `c/r`가 아니라 `exp(1 − r/c)`입니다. [9장](09_bleu.ipynb#cell-id=brevity-compare-text) |
#
# 나머지 주장은 대체로 그대로 맞거나, 조건을 하나 붙이면 맞습니다.

# %% [markdown] id="only-text"
# ## 여기서만 해 보는 것
#
# ### 벡터를 딕셔너리의 키로

# %% id="keys"
try:
    {[0.1, 0.3, -0.7]: "dog"}
except TypeError as problem:
    print(type(problem).__name__)
dictionary = {torch.tensor([0.1, 0.3]): "dog"}
print("같은 숫자로 찾으면:", torch.tensor([0.1, 0.3]) in dictionary)

# %% [markdown] id="keys-read"
# 노트 002에 나오는 `{word2vec('dog'): …}`는 이해를 돕기 위한 표기입니다. 파이썬에서 리스트는 키가
# 될 수 없고, 텐서는 같은 객체로 찾을 때만 찾을 수 있습니다. 실제로는 키의 행렬과 밸류의 행렬을 따로
# 두면 됩니다.
#
# ### 어텐션은 더 효율적인가

# %% id="scores-counted"
print("어텐션 없이 → 어텐션으로")
for words in (10, 20, 40, 80):
    keys = torch.randn(1, words, 128)
    _, weights = DotAttention(128, 128)(torch.randn(1, words, 128), keys, keys)
    seen, scored = keys.numel(), weights.numel()
    print(f"{words}단어: 디코더가 볼 수 있는 숫자 128 → {seen:,}개, 계산할 스코어 0 → {scored:,}개")

# %% [markdown] id="length-text"
# 어텐션은 정보를 더 많이 담지만(000) 계산도 늘어납니다. 입력이 `S`단어, 출력이 `T`단어이면 스코어가
# `T × S`개입니다.

# %% [markdown] id="end"
# ## 고칠 곳을 찾으셨다면
#
# 노트의 주장 하나하나와 그에 대한 판단은 `attnbook/ledger/assets/claims.md`(영어)에 있고, 테스트가
# 각 장의 셀과 맞춰 봅니다. 판단이 미심쩍거나 인용이 노트의 뜻과 다르면, 또는 노트를 쓴 분이 고치고
# 싶은 곳이 있으면 알려 주세요.
