"""Questions before something is sent that cannot be taken back."""

from typing import Final

from cli.text.wording import lazy

SEND: Final = lazy("Send? yes or no")
TYPE_YES: Final = lazy('Type the word "yes" to go on; anything else does nothing.')
EXPLAINED: Final = lazy("Type yes to do what is shown above. Any other answer does nothing, and you go on as before.")
