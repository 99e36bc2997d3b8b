import { SignInGate } from '../../shell/session/SignInGate.js'

/** For operators alone. What they see is loaded when it is known that one is there. */
export const Area = () => <SignInGate operators load={async () => (await import('./ConsolePages.js')).ConsolePages} />
