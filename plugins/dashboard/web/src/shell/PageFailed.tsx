import { Button } from '../components/controls/Button.js'
import { texts } from '../texts/texts.js'

/** In place of a page whose code failed: never a stack. */
export const PageFailed = () => (
  <main className="state" role="alert">
    <h1>{texts.failures.title}</h1>
    <p>{texts.failures.page}</p>
    <Button onClick={() => location.reload()}>{texts.failures.reload}</Button>
  </main>
)
