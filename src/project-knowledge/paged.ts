/** All rows in the order of their ids, a page at a time, whatever their number. */
export async function* paged<Row extends { id: string }>(
  pageAfter: (id: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let page = await pageAfter(''); page.length > 0; page = await pageAfter(page.at(-1)!.id)) yield* page
}
