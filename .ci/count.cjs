/** Prints each failed test of the reports once more, then the counts: `node .ci/count.cjs <folder> <script> …`. */
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const [folder, ...scripts] = process.argv.slice(2)
let [passed, failed] = [0, 0]
const red = []
for (const script of scripts) {
  const path = join(folder, `${script.replace(':', '-')}.json`)
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  if (report === null) red.push(`npm run ${script} left no report`)
  passed += report?.numPassedTests ?? 0
  // A file that could not be loaded has no failed test; a run without a report counts as one failure.
  failed += report === null ? 1 : report.numFailedTests || report.numFailedTestSuites
  for (const file of report?.testResults ?? []) {
    const tests = file.assertionResults.filter((test) => test.status === 'failed')
    for (const test of tests) red.push(`${file.name}: ${test.fullName}\n${test.failureMessages.join('\n')}`)
    if (file.status === 'failed' && tests.length === 0) red.push(`${file.name}\n${file.message}`)
  }
}
// The stack that the runner gives a test which took too long names no reason.
for (const text of red)
  console.log(
    `RED ${text.replaceAll('Error: STACK_TRACE_ERROR', 'It took longer than its time limit').slice(0, 2_000)}\n`,
  )
console.log(`${passed} passed, ${failed} failed`)
