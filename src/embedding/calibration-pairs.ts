/** Raise when a text changes, or what is made of it: what was measured before then counts no longer. */
export const PAIRS_VERSION = 2

/**
 * Notes as this product keeps them, of which none has to do with another. To each belong four questions of falling
 * closeness: nearly its own words, other words, part of it, and no more than the same field.
 */
export const GRADED_NOTES: readonly { note: string; questions: readonly [string, string, string, string] }[] =
  [
    {
      note: 'The session cookie expires after 15 minutes of inactivity, so users are signed out while they fill in long forms.',
      questions: [
        'users are signed out of a form because the session is too short',
        'why are people logged off when they take long to complete a form',
        'how long does a login last',
        'where are passwords hashed',
      ],
    },
    {
      note: 'Database migrations must run before the new containers start, otherwise queries fail on missing columns.',
      questions: [
        'do migrations of the database run before the containers start',
        'order of schema changes and rollout of a release',
        'column does not exist after deploying',
        'how do we back up Postgres',
      ],
    },
    {
      note: 'Dates in the exported spreadsheet were off by one day because they were converted to local time twice.',
      questions: [
        'dates in the spreadsheet export are off by one day, converted to local time twice',
        'the report shows yesterday instead of today',
        'time zone handling in exports',
        'the CSV download has the wrong separator',
      ],
    },
    {
      note: 'Product pictures are resized by a background worker; when its queue is full, phones get the originals and load slowly.',
      questions: [
        'pictures of products are resized in the background by a worker with a queue',
        'images take ages to appear on mobile devices',
        'what happens when the thumbnail job is backed up',
        'which format do we use for icons',
      ],
    },
    {
      note: 'The payment provider sends each webhook at least once: invoices are only created if the event id is new.',
      questions: [
        'payment webhooks are sent at least once, so create invoices only for a new event id',
        'customers were billed two times for one order',
        'how do we make webhook handling idempotent',
        'refunds have to be approved by two people',
      ],
    },
    {
      note: 'Search became slow because every keystroke sent a request; it now waits until typing pauses for 300 milliseconds.',
      questions: [
        'search sends a request at every keystroke and is slow',
        'wait until somebody has finished typing before looking things up',
        'too many requests from the search box',
        'results are sorted by date, not by relevance',
      ],
    },
    {
      note: 'The nightly build runs out of memory on the small machines unless Node gets a larger heap.',
      questions: [
        'the nightly build needs more memory for Node',
        'the scheduled job dies with JavaScript heap allocation failed',
        'what do we need to build on a weak server',
        'the pipeline should also run on Windows',
      ],
    },
    {
      note: 'Translations are loaded per page; a missing key falls back to English and is written to the log.',
      questions: [
        'a translation key is missing, which language is the fallback',
        'what is shown when a sentence has not been localised yet',
        'how to add another language',
        'right-to-left layouts are not supported',
      ],
    },
    {
      note: 'The charts are drawn with SVG since the canvas version was unreadable for screen readers.',
      questions: [
        'charts drawn with SVG because the canvas version could not be read by screen readers',
        'why did we change how diagrams are rendered for blind users',
        'accessibility of graphs',
        'the colours of the dark theme',
      ],
    },
    {
      note: 'Flaky browser tests came from animations; they are switched off in the test environment.',
      questions: [
        'browser tests were flaky because of animations, which are switched off in the test environment',
        'end-to-end checks fail now and then without a reason',
        'how do we make interface tests stable',
        'unit tests use an in-memory database',
      ],
    },
    {
      note: 'The rate limiter counts per API key in Redis and answers with status 429 and the seconds to wait.',
      questions: [
        'the rate limiter answers with status 429',
        'how do we throttle clients that call too often',
        'too many requests error',
        'keys are rotated every three months',
      ],
    },
    {
      note: 'Large uploads go straight to object storage with a signed link, so that they do not block the web server.',
      questions: [
        'large uploads go to object storage by a signed link so that the web server is not blocked',
        'sending big files without tying up our backend',
        'where do attachments end up',
        'the maximum length of a file name',
      ],
    },
  ]
