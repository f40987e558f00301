import { MESSAGES, type ErrorCode } from "#shared/errors";
import { useId, useRef, useState } from "react";
import { clearDraft } from "../lib/drafts";
import type { Refusal } from "../lib/errorText";
import { useDraft } from "./useDraft";

type Texts = Readonly<Record<string, string>>;
type NameOf<Values> = keyof Values & string;

/** A form schema of #shared/rules: one issue, the sentence that the specification ranks first. */
export interface FormSchema<Command> {
  safeParse: (
    values: unknown,
  ) =>
    | { success: true; data: Command }
    | { success: false; error: { issues: readonly { message: string }[] } };
}

interface RuledFormOptions<Values extends Texts, Rules, Command> {
  /** Name under which typed values survive a reload and a time-out. */
  readonly draftKey: string;
  readonly initial: Values;
  /**
   * Loads the module of #shared/rules, a constant of the form's module. It brings the schema library
   * with it, so it is fetched with the first edit and not before the first view.
   */
  readonly loadRules: () => Promise<Rules>;
  readonly schemaOf: (rules: Rules, values: Values) => FormSchema<Command>;
  /** Shown when the rules could not be loaded. */
  readonly fallback: ErrorCode;
  /** The field that a refusal is about; refusals of missing fields find theirs themselves. */
  readonly fieldOf?: Partial<Record<ErrorCode, NameOf<Values>>>;
  readonly optional?: readonly NameOf<Values>[];
  /** A refusal of the server; shown unless the form has one of its own. */
  readonly serverRefusal?: Refusal | null;
  /** Called with every change, so that a server's refusal can leave. */
  readonly onEdit?: () => void;
}

const MISSING_FIELD_CODES: readonly ErrorCode[] = ["FILL_ALL_FIELDS", "FILL_REQUIRED_FIELDS"];

/** What to spread on a labelled control. */
export interface FieldWiring {
  readonly id: string;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
}

/** The refusal whose sentence the schema reported. */
function refusalOfSentence(message: string): Refusal {
  const code = (Object.keys(MESSAGES) as ErrorCode[]).find((key) => MESSAGES[key] === message);
  return { code: code ?? "INVALID_TEXT", message };
}

/**
 * A form of texts judged by one rule table of #shared/rules.
 *
 * Holds the values (as a draft that survives a time-out) and the first refusal, and tells each
 * control what it needs to point at it. Not here: sending the command.
 */
export function useRuledForm<Values extends Texts, Rules, Command>(
  options: RuledFormOptions<Values, Rules, Command>,
) {
  const { draftKey, initial, fieldOf = {}, optional = [] } = options;
  const formId = useId();
  const [values, setValues, clearValues] = useDraft(draftKey, initial);
  const [ownRefusal, setOwnRefusal] = useState<Refusal | null>(null);
  const refusal = ownRefusal ?? options.serverRefusal ?? null;
  const rules = useRef<Promise<Rules | null> | null>(null);
  /** The rules, or null when they could not be loaded; the next call then tries again. */
  const loadRules = (): Promise<Rules | null> => {
    rules.current ??= options.loadRules().catch(() => {
      rules.current = null;
      return null;
    });
    return rules.current;
  };
  const alertId = `${formId}-alert`;
  const idOf = (name: NameOf<Values>) => `${formId}-${name}`;

  /** Names of the controls that a refusal marks, in the form's order. */
  const namesOf = (shown: Refusal | null): NameOf<Values>[] => {
    if (shown === null) return [];
    if (MISSING_FIELD_CODES.includes(shown.code)) {
      return Object.keys(values).filter(
        (name) => values[name]?.trim() === "" && !optional.includes(name),
      );
    }
    const field = fieldOf[shown.code];
    return field === undefined ? [] : [field];
  };
  const invalid = namesOf(refusal);

  return {
    values,
    refusal,
    /** Props of the form's RefusalAlert. */
    alert: {
      id: alertId,
      message: refusal?.message,
      fieldId: invalid[0] === undefined ? undefined : idOf(invalid[0]),
    },
    set: (changes: Partial<Values>) => {
      setValues((current) => ({ ...current, ...changes }));
      setOwnRefusal(null);
      void loadRules();
      options.onEdit?.();
    },
    clear: () => {
      // At once: after success the form may be gone before its state could follow.
      clearDraft(draftKey);
      clearValues();
      setOwnRefusal(null);
    },
    wire: (name: NameOf<Values>): FieldWiring => {
      const isInvalid = invalid.includes(name);
      return { id: idOf(name), isInvalid, describedBy: isInvalid ? alertId : undefined };
    },
    /** The command, or null after showing the first refusal and moving the focus to its field. */
    submit: async (schemaOf = options.schemaOf): Promise<Command | null> => {
      const loaded = await loadRules();
      const parsed = loaded === null ? null : schemaOf(loaded, values).safeParse(values);
      if (parsed?.success === true) {
        setOwnRefusal(null);
        return parsed.data;
      }
      const sentence = parsed?.error.issues[0]?.message ?? MESSAGES[options.fallback];
      const refused = refusalOfSentence(sentence);
      setOwnRefusal(refused);
      const first = namesOf(refused)[0];
      if (first !== undefined) document.getElementById(idOf(first))?.focus();
      return null;
    },
  };
}
