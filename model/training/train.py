"""Teaches MiniLM which note a question asks for in quite other words: python3 train.py OUT.safetensors (five minutes on one core).

A batch is one project: its other notes, which are easily confused, are the wrong answers (InfoNCE both ways).
"""
import json, random, sys
from pathlib import Path
import numpy as np
import torch
import torch.nn.functional as F
from minilm import MiniLM, write_safetensors

RANK, EPOCHS, RATE, TEMPERATURE, SEED = 8, 3, 4e-4, 0.05, 0


def projects():
    files = sorted((Path(__file__).parent / 'pairs').glob('*.json'))
    return [project['notes'] for file in files for project in json.loads(file.read_text('utf-8'))]


def told(note, choice):
    """As a note may stand in memory: whole, its account alone, its title alone; of a chat, with who says it."""
    title, summary = note['title'], note['summary']
    if len(title.split()) <= 2:
        return f'{title}: {summary}' if choice < 0.8 else summary
    return f'{title}\n{summary}' if choice < 0.6 else summary if choice < 0.7 else title


def main(out):
    torch.manual_seed(SEED)
    chance, model, groups = random.Random(SEED), MiniLM(RANK, SEED), projects()
    steps = EPOCHS * len(groups)
    warm = steps // 10
    optimizer = torch.optim.AdamW(model.parameters, lr=RATE, weight_decay=0.01)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min((step + 1) / warm, (steps - step) / (steps - warm)))
    order, losses = list(range(len(groups))), []
    for _ in range(EPOCHS):
        order = list(range(len(groups)))
        chance.shuffle(order)
        for at in order:
            notes = groups[at]
            texts = [note['question'] for note in notes] + [told(note, chance.random()) for note in notes]
            vectors = model.embed(texts)
            likeness = vectors[:len(notes)] @ vectors[len(notes):].T / TEMPERATURE
            right = torch.arange(len(notes))
            loss = (F.cross_entropy(likeness, right) + F.cross_entropy(likeness.T, right)) / 2
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters, 1.0)
            optimizer.step()
            rate.step()
            losses.append(loss.item())
            if len(losses) % 10 == 0:
                print(f'{len(losses)} of {steps}: {sum(losses[-10:]) / 10:.3f}', flush=True)
    tensors = {}
    for name, (thin, wide) in model.learnt.items():
        tensors[f'{name}.lora_A'] = thin.detach().numpy().astype(np.float16)
        tensors[f'{name}.lora_B'] = wide.detach().numpy().astype(np.float16)
    write_safetensors(out, tensors, {'model': 'all-MiniLM-L6-v2', 'rank': str(RANK), 'epochs': str(EPOCHS), 'seed': str(SEED)})


if __name__ == '__main__':
    main(sys.argv[1])
