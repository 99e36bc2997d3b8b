import { boot } from './boot.js'
import { SignInPage } from './shell/session/SignIn.js'
import { show } from './show.js'

// What is behind a sign-in is loaded by whoever may see it.
show(<SignInPage operator={boot.area === 'console'} ended={false} onDone={() => location.reload()} />)
