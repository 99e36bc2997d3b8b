/** Words of the pages of webhooks, health, configuration and audit. */
export const push = {
  title: 'Push',
  lead: 'How changes reach integrators: webhooks, and the outbox that feeds them.',
  endpoints: 'Endpoints on',
  endpointsMore: (off: number, failing: number) => `${off} off, ${failing} failing`,
  queue: 'Waiting to be sent',
  oldest: (text: string) => `the oldest for ${text}`,
  none: 'nothing waits',
  failures: 'Calls that failed, 24 hours',
  failuresMore: (failed: number, calls: number) =>
    `${failed.toLocaleString('en')} of ${calls.toLocaleString('en')} calls`,
  noCalls: 'No call in 24 hours',
  delivered: 'Delivered, 24 hours',
  parked: (count: number) => `${count.toLocaleString('en')} given up`,
  outbox: 'Outbox behind',
  outboxMore: 'status changes not in the queue yet',
  troubled: 'Endpoints in trouble',
  noTroubled: 'No endpoint is in trouble',
  noTroubledMore: 'Endpoints whose last call failed, or that were turned off for it, stand here.',
  key: 'API key',
  state: 'State',
  off: 'Turned off',
  failing: 'Failing',
  since: 'Since',
  why: 'Why',
  waiting: 'Waiting',
}

export const health = {
  title: 'Health',
  lead: 'What the doctor finds: everything that a deployment needs, and what to do about what is wrong.',
  run: 'Look again',
  running: 'Looking…',
  notRun: 'Not looked yet on this page',
  notRunMore: 'The doctor asks every endpoint of every chain; that takes some seconds.',
  well: 'Everything that was looked at is well.',
  wrong: (faults: number, warnings: number) =>
    [[faults, 'fault'] as const, [warnings, 'warning'] as const]
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${count} ${word}${count === 1 ? '' : 's'}`)
      .join(', '),
  states: { ok: 'Well', warning: 'Warning', fault: 'Fault', unchecked: 'Not checked' } as Readonly<
    Record<string, string>
  >,
  groups: { fault: 'Faults', warning: 'Warnings', unchecked: 'Could not be checked from here', ok: 'Well' } as Readonly<
    Record<string, string>
  >,
  remedy: 'What to do',
  act: (check: string) => `Open the page for ${check}`,
  count: (count: number) => count.toLocaleString('en'),
  showWell: 'Show what is well',
}

export const configuration = {
  title: 'Configuration',
  lead: 'What is in force, defaults filled in. Keys, passwords and whole URLs are not here.',
  section: 'Section',
  sections: 'Sections',
  everything: 'Everything',
  find: 'Find a setting',
  findHint: 'Part of its name or value.',
  noneFound: 'No setting has that',
  noneFoundMore: 'Look for another word; the names are those of the configuration file.',
  setting: 'Setting',
  value: 'Value',
  raw: 'As JSON',
  list: 'All settings',
}

export const audit = {
  title: 'Audit',
  lead: 'What was done by hand: who, when, to what and why. Entries are never changed.',
  subject: 'Subject',
  subjectHint: 'Exactly as in the list, for example deposit 12.',
  filter: 'Show',
  clear: 'Show all',
  when: 'When',
  who: 'Who',
  what: 'What',
  whom: 'To what',
  why: 'Reason',
  empty: 'Nothing was done by hand',
  emptySubject: 'Nothing was done to that',
  emptyMore: 'Every action of an operator or an integrator stands here.',
  entry: (id: string) => `Entry ${id}`,
  details: 'Details',
  only: 'Only this subject',
}
