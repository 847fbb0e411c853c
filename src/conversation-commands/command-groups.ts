/** What the words that several commands begin with stand for. */
export const COMMAND_GROUPS: { readonly [name: string]: string } = {
  conversations: 'past conversations of all projects, found again',
  'conversations tag': 'tags of conversations',
  documents: 'your own files and folders, found beside conversations',
  index: 'take in files and folders of your own',
  rag: 'retrieval: status, settings, and feedback on what it found',
  summarizer: 'status of the summarizers, or switch them',
  embeddings: 'status of the embedding pipeline, switch it, check its vectors, or make them anew',
  spend: 'what models and embeddings have cost, and what they may cost',
  workers: 'what summarises and embeds conversations in the background',
}
