import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Button } from "../../design/button.tsx";
import { Checkbox } from "../../design/checkbox.tsx";
import { CopyText } from "../../design/copy-text.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";

/** Registers a runner; its token is shown once, with what is to be run. */
export function RegisterRunner({ onClose }: { readonly onClose: () => void }): ReactNode {
  const company = useCompany();
  const [name, setName] = useState("");
  const [isOnlyHere, setOnlyHere] = useState(false);
  const register = useCommand("fleet.register");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    register.mutate({ body: { name, ...(isOnlyHere && { companyIds: [company.id] }) } });
  };
  if (register.data !== undefined) {
    return <Registered name={register.data.name} token={register.data.token ?? ""} onClose={onClose} />;
  }
  return (
    <Dialog title="Register a runner" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          required
          value={name}
          hint="Such as the machine it is on"
          wrong={wrongAt(register.error, "name")}
          onChange={({ target }) => setName(target.value)}
        />
        <Checkbox
          label={`Only for ${company.name}`}
          hint="Else it takes the runs of every company."
          checked={isOnlyHere}
          onChange={({ target }) => setOnlyHere(target.checked)}
        />
        <Refusal error={register.error} saidAt={["name"]} />
        <Button type="submit" look="primary" className="self-end" busy={register.isPending}>
          Register
        </Button>
      </form>
    </Dialog>
  );
}

const home = "/srv/roster-runner";

interface RegisteredParts {
  readonly name: string;
  readonly token: string;
  readonly onClose: () => void;
}

function Registered({ name, token, onClose }: RegisteredParts): ReactNode {
  return (
    <Dialog title={`${name} is registered`} onClose={onClose} wide>
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          The token is shown only now. On the machine of the runner, which needs the sources of Roster and Node, it
          belongs into a file that nobody else can read:
        </p>
        <CopyText label="Token" text={token} />
        <CopyText
          label="Put it into its file, then paste the token and press Ctrl-D"
          text={`mkdir -p ${home} && umask 077 && cat > ${home}/runner.token`}
        />
        <CopyText
          label="Start the runner"
          text={`SERVICE_HOME=${home} SERVICE_RUNNER_URL=${window.location.origin} npm run runner`}
        />
        <p className="text-ink-faint text-xs">
          SERVICE_RUNNER_CAPACITY says how many runs it takes at once, SERVICE_RUNNER_LABELS what agents may ask for.
        </p>
        <Button look="primary" className="self-end" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
