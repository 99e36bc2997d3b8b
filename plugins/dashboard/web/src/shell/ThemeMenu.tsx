import { SunMoon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../components/controls/Button.js'
import { Menu } from '../components/controls/Menu.js'
import { texts } from '../texts/texts.js'
import { chooseTheme, chosenTheme, THEMES } from './theme.js'

export const ThemeMenu = () => {
  const [theme, setTheme] = useState(chosenTheme)
  const words = texts.shell.theme
  return (
    <Menu
      label={words.label}
      trigger={
        <Button kind="quiet" aria-label={words.label}>
          <SunMoon aria-hidden />
        </Button>
      }
      items={THEMES.map((each) => ({
        text: words[each],
        checked: each === theme,
        act: () => {
          chooseTheme(each)
          setTheme(each)
        },
      }))}
    />
  )
}
