/** Shell completion, generated from the definitions of the commands and options. */
import type { Command } from 'commander';
import { usageError } from './exit.ts';

/** @returns a script for the shell's start-up file */
export function completionScript(program: Command, shell: string): string {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    names: [command.name(), ...command.aliases()],
    description: command.description(),
    options: [...program.options, ...command.options].flatMap(({ long, description }) =>
      long ? [{ long, description }] : [],
    ),
  }));
  const names = commands.map(({ name }) => name).join(' ');
  switch (shell) {
    case 'bash':
      return `_ledger() {
  local current=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names}' -- "$current")); return; fi
  case "\${COMP_WORDS[1]}" in
${commands.map(({ names, options }) => `    ${names.join('|')}) local options='${options.map(({ long }) => long).join(' ')}' ;;`).join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _ledger ledger
`;
    case 'zsh':
      return `#compdef ledger
_ledger() {
  if (( CURRENT == 2 )); then
    local -a commands=(${commands.map(({ name, description }) => `'${name}:${withoutMarks(description)}'`).join(' ')})
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(({ names, options }) => `    ${names.join('|')}) _arguments ${options.map(({ long, description }) => `'${long}[${withoutMarks(description)}]'`).join(' ')} '*:file:_files' ;;`).join('\n')}
  esac
}
compdef _ledger ledger
`;
    case 'fish':
      return `${commands
        .flatMap(({ name, names, description, options }) => [
          `complete -c ledger -n __fish_use_subcommand -f -a ${name} -d '${withoutMarks(description)}'`,
          ...options.map(
            ({ long, description }) =>
              `complete -c ledger -n '__fish_seen_subcommand_from ${names.join(' ')}' -l ${long.slice(2)} -d '${withoutMarks(description)}'`,
          ),
        ])
        .join('\n')}\n`;
    default:
      throw usageError(`There is no completion for ${shell}: use bash, zsh or fish.`);
  }
}

const withoutMarks = (text: string) => text.replace(/['[\]:]/g, ' ');
