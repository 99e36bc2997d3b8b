import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { TextField } from '../../../components/controls/Field.js'
import { hrefOf } from '../../../shell/Navigation.js'
import { texts } from '../../../texts/texts.js'

const words = texts.track.lookup

/** What was pasted: an id, or a link of this page with one in it. */
const idOf = (text: string): string => {
  const trimmed = text.trim()
  const linked = /\/track\/([^/?#\s]+)/.exec(trimmed)?.[1]
  return (linked === undefined ? trimmed : decodeURIComponent(linked)).slice(0, 200)
}

export const LookupForm = ({ first = '' }: { readonly first?: string }) => {
  const { history } = useRouter()
  const [text, setText] = useState(first)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const id = idOf(text)
        if (id !== '') history.push(hrefOf(encodeURIComponent(id)))
      }}
    >
      <TextField
        label={words.label}
        hint={words.hint}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="input mono"
        maxLength={400}
        required
      />
      <div className="row">
        <Button type="submit" kind="primary">
          <Search aria-hidden />
          {words.submit}
        </Button>
      </div>
    </form>
  )
}
