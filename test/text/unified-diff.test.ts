import { describe, expect, it } from 'vitest'
import { diffParts, readFileDiff } from '../../src/text/unified-diff.ts'

const CHANGED = `diff --git a/src/pay.ts b/src/pay.ts
index 1111111..2222222 100644
--- a/src/pay.ts
+++ b/src/pay.ts
@@ -10,4 +10,5 @@ export function pay()
 before
--- a comment of SQL
+++ counted
+second
 after
\\ No newline at end of file
@@ -40 +41 @@
-x
+y
`

describe('a unified diff', () => {
  it('is read with the numbers of its lines on both sides', () => {
    const file = readFileDiff(CHANGED)
    expect(file).toMatchObject({ path: 'src/pay.ts', kind: 'changed', binary: false, added: 3, removed: 2 })
    expect(file.hunks[0]).toEqual({
      place: 'export function pay()',
      lines: [
        { mark: ' ', before: 10, after: 10, text: 'before' },
        { mark: '-', before: 11, text: '-- a comment of SQL' },
        { mark: '+', after: 11, text: '++ counted' },
        { mark: '+', after: 12, text: 'second' },
        { mark: ' ', before: 12, after: 13, text: 'after' },
      ],
    })
    expect(file.hunks[1]!.lines).toEqual([
      { mark: '-', before: 40, text: 'x' },
      { mark: '+', after: 41, text: 'y' },
    ])
  })

  it.each([
    [
      'diff --git a/new.ts b/new.ts\nnew file mode 100644\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+x',
      'new.ts',
      'added',
    ],
    [
      'diff --git a/old.ts b/old.ts\ndeleted file mode 100644\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x',
      'old.ts',
      'deleted',
    ],
    ['diff --git a/a b.ts b/a b.ts\nnew file mode 100644\nindex 0000000..e69de29', 'a b.ts', 'added'],
    [
      'diff --git "a/gr\\303\\274n.ts" "b/gr\\303\\274n.ts"\nold mode 100644\nnew mode 100755',
      'grün.ts',
      'changed',
    ],
    ['diff --git "a/say \\"x\\".ts" "b/say \\"x\\".ts"\nold mode 1\nnew mode 2', 'say "x".ts', 'changed'],
    ['diff --cc merged.ts\n@@@ -1,1 -1,1 +1,1 @@@\n++x', 'merged.ts', 'changed'],
  ])('names the file of %j', (part, path, kind) => {
    expect(readFileDiff(part)).toMatchObject({ path, kind })
  })

  it('knows what was renamed, and what has no lines', () => {
    const renamed = 'diff --git a/x.ts b/y.ts\nsimilarity index 90%\nrename from x.ts\nrename to y.ts\n'
    expect(readFileDiff(renamed)).toMatchObject({
      path: 'y.ts',
      formerly: 'x.ts',
      kind: 'renamed',
      hunks: [],
    })
    const picture = 'diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n'
    expect(readFileDiff(picture)).toMatchObject({ path: 'p.png', binary: true, hunks: [] })
  })

  it('is parted into files, and whole again when they are joined', () => {
    const text = `commit abc\n\n    diff --git is a word here\n\n${CHANGED}${CHANGED}`
    const { introduction, files } = diffParts(text)
    expect(files).toEqual([CHANGED, CHANGED])
    expect(introduction + files.join('')).toBe(text)
    expect(diffParts('no diff at all')).toEqual({ introduction: 'no diff at all', files: [] })
    expect(diffParts('')).toEqual({ introduction: '', files: [] })
  })

  it('may have been cut short anywhere', () => {
    for (let end = 0; end <= CHANGED.length; end++) {
      for (const part of diffParts(CHANGED.slice(0, end)).files) {
        expect(readFileDiff(`${part} [truncated]`).path).toBeTruthy()
      }
    }
  })
})
