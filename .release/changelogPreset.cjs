/**
 * How versions and changelogs follow from commits, for Lerna's `conventionalCommits`. A commit's subject is `area: verb object`;
 * the verb says what kind of change it is, a `!` after the area or a footer `BREAKING CHANGE:` that it breaks what others use.
 *
 *   quote: add exact outputs of swaps      a minor version, under "Added"
 *   solver: fix a fill that was sent twice a patch, under "Fixed"
 *   core!: remove the alias of ChainMoney  a major version, under "Removed"
 */

const GROUPS = { add: 'Added', fix: 'Fixed', remove: 'Removed', deprecate: 'Deprecated' }
const ORDER = ['Breaking', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed']

/** Areas that change nothing for who installs a package. */
const SILENT = new Set(['tests', 'docs', 'ci', 'lint', 'release'])

const parserOpts = {
  headerPattern: /^([\w./-]+(?:, [\w./-]+)*)(!)?: (\w+)(?: (.*))?$/,
  headerCorrespondence: ['area', 'breaking', 'verb', 'object'],
  noteKeywords: ['BREAKING CHANGE'],
}

const isBreaking = ({ breaking, notes = [] }) => breaking === '!' || notes.length > 0
const isSilent = ({ area }) => typeof area === 'string' && area.split(', ').every((name) => SILENT.has(name))

const MAJOR = 0
const MINOR = 1
const PATCH = 2

/** The version step that commits ask for together. */
const whatBump = (commits) => {
  const said = commits.filter((commit) => !isSilent(commit))
  if (said.some(isBreaking)) return { level: MAJOR, reason: 'a change breaks what others use' }
  if (said.some(({ verb }) => verb === 'add')) return { level: MINOR, reason: 'something was added' }
  return { level: PATCH, reason: 'nothing was added' }
}

/** A line of the changelog, or nothing for what concerns nobody who installs the package. */
const transform = (commit) => {
  if (isSilent(commit) && !isBreaking(commit)) return null
  const { area, verb, object, header } = commit
  const text = verb ? `${verb} ${object ?? ''}`.trim() : (header ?? '')
  const subject = text.charAt(0).toUpperCase() + text.slice(1)
  return { ...commit, group: isBreaking(commit) ? 'Breaking' : (GROUPS[verb] ?? 'Changed'), area: area ?? '', subject }
}

const writerOpts = {
  transform,
  groupBy: 'group',
  commitGroupsSort: (a, b) => ORDER.indexOf(a.title) - ORDER.indexOf(b.title),
  commitsSort: ['area', 'subject'],
  noteGroupsSort: 'title',
  mainTemplate:
    '{{> header}}\n\n{{#each commitGroups}}\n### {{title}}\n\n{{#each commits}}\n{{> commit}}\n{{/each}}\n\n{{/each}}',
  headerPartial: '## {{version}} ({{date}})\n',
  commitPartial: '* {{#if area}}**{{area}}:** {{/if}}{{subject}}\n{{#each notes}}\n\n  {{text}}\n{{/each}}',
}

module.exports = {
  conventionalChangelog: { parserOpts, writerOpts },
  recommendedBumpOpts: { parserOpts, whatBump },
}
