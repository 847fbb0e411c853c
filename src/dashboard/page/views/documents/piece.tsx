import { useRoute } from 'preact-iso'
import { placeText } from '../../../../documents/record.ts'
import { answerOf, api } from '../../client.ts'
import { useData } from '../../kit/data.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'

function read(id: string) {
  return answerOf(api.documents[':id'].$get({ param: { id } }))
}
type Piece = Awaited<ReturnType<typeof read>>['pieces'][number]

/** A piece of a document, where it stands, with what stands before and after it. */
export default function PieceView() {
  const { id = '' } = useRoute().params
  const loaded = useData(`piece ${id}`, () => read(id), ['documents'])
  return (
    <Shown loaded={loaded} heading="Document">
      {({ pieces }) => (
        <article>
          <h1>
            <Remembered text={pieces[0]?.title ?? 'Document'} />
          </h1>
          {pieces.map((piece) => (
            <Stretch key={piece.id} piece={piece} isAsked={piece.id === id} />
          ))}
        </article>
      )}
    </Shown>
  )
}

function Stretch({ piece, isAsked }: { piece: Piece; isAsked: boolean }) {
  return (
    <section class={isAsked ? '' : 'dim'}>
      <p class="facts">
        <Remembered text={[placeText(piece.path, piece.place), ...piece.headings].join(' · ')} />
      </p>
      <pre>
        <Remembered text={piece.text} />
      </pre>
    </section>
  )
}
