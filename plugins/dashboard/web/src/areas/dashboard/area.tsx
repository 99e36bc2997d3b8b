import { SignInGate } from '../../shell/session/SignInGate.js'

/** The integrators' dashboard, which is loaded when it is known that somebody is signed in. */
export const Area = () => <SignInGate load={async () => (await import('./DashboardPages.js')).DashboardPages} />
