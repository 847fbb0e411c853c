import { session } from '../../session.ts'

export default function Overview() {
  return <h1>{session.value?.projectName}</h1>
}
