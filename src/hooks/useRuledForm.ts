import { MESSAGES, type ErrorCode } from "#shared/errors";
import { useEffect, useId, useRef, useState, type FormEvent } from "react";
import { useForm, useWatch, type FieldErrors, type Resolver } from "react-hook-form";
import { clearDraft, readDraft, writeDraft } from "../lib/drafts";
import type { Refusal } from "../lib/errorText";

type Texts = Readonly<Record<string, string>>;
type NameOf<Values> = keyof Values & string;

/** A form schema of #shared/rules: it reports one issue, the sentence that the specification ranks first. */
interface FormSchema<Command> {
  safeParse: (values: unknown) =>
    | { success: true; data: Command }
    | {
        success: false;
        error: { issues: readonly { message: string; path: readonly PropertyKey[] }[] };
      };
}

interface RuledFormOptions<Values extends Texts, Rules, Command extends object> {
  /** Name under which typed values survive a reload and a time-out. */
  readonly draftKey: string;
  readonly initial: Values;
  /**
   * Loads the module of #shared/rules; a constant of the form's module. It brings the schema library with it, so it is
   * fetched on the first edit, not before the first view.
   */
  readonly loadRules: () => Promise<Rules>;
  readonly schemaOf: (rules: Rules, values: Values) => FormSchema<Command>;
  /** Shown when the rules could not be loaded. */
  readonly fallback: ErrorCode;
  /** The field a refusal is about, where its rule names none; missing fields are known without it. */
  readonly fieldOf?: Partial<Record<ErrorCode, NameOf<Values>>>;
  readonly optional?: readonly NameOf<Values>[];
  /** A refusal from the server; shown unless the form has one of its own. */
  readonly serverRefusal?: Refusal | null;
  /** The field that takes the focus when the form appears. */
  readonly startAt?: NameOf<Values> | undefined;
  /** Called on every change, so that a server's refusal can be cleared. */
  readonly onEdit?: () => void;
}

/** Stands for the field of a refusal that is about no single one. */
const WHOLE_FORM = "whole form";

const MISSING_FIELD_CODES: readonly ErrorCode[] = ["FILL_ALL_FIELDS", "FILL_REQUIRED_FIELDS"];

/** What to spread on a labelled control. */
export interface FieldWiring {
  readonly id: string;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
}

/** What to spread on a control that reports its text through an event, as native ones do. */
export interface InputWiring extends FieldWiring {
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}

const asTyped = (text: string): string => text;

/** The refusal whose sentence the schema reported. */
function refusalOfSentence(message: string): Refusal {
  const code = (Object.keys(MESSAGES) as ErrorCode[]).find((key) => MESSAGES[key] === message);
  return { code: code ?? "INVALID_TEXT", message };
}

/** The refusal that the form shows: all marked fields carry the same one. */
function refusalOf(errors: FieldErrors<Texts>): Refusal | null {
  const [error] = Object.values(errors);
  return error === undefined
    ? null
    : { code: error.type as ErrorCode, message: error.message ?? "" };
}

const fieldsOf = (errors: FieldErrors<Texts>): string[] =>
  Object.keys(errors).filter((place) => place !== WHOLE_FORM);

/**
 * A form of text values judged by one rule table of #shared/rules, held by react-hook-form.
 *
 * Holds the values (as a draft that survives a time-out) and the first refusal, and tells each
 * control what it needs to point at it. Not here: sending the command.
 */
export function useRuledForm<Values extends Texts, Rules, Command extends object>(
  options: RuledFormOptions<Values, Rules, Command>,
) {
  const { draftKey, initial, fieldOf = {}, optional = [] } = options;
  const formId = useId();
  const alertId = `${formId}-alert`;
  const idOf = (name: NameOf<Values>) => `${formId}-${name}`;

  const startId = useRef(options.startAt === undefined ? null : idOf(options.startAt));
  useEffect(() => {
    if (startId.current !== null) document.getElementById(startId.current)?.focus();
  }, []);

  const rules = useRef<Promise<Rules | null> | null>(null);
  /** The rules, or null if they could not be loaded; the next call then tries again. */
  const loadRules = (): Promise<Rules | null> => {
    rules.current ??= options.loadRules().catch(() => {
      rules.current = null;
      return null;
    });
    return rules.current;
  };
  const schemaInUse = useRef(options.schemaOf);

  /** Names of the controls that a refusal marks, in the form's order. */
  const namesOf = (refusal: Refusal | null, texts: Texts): NameOf<Values>[] => {
    if (refusal === null) return [];
    if (MISSING_FIELD_CODES.includes(refusal.code)) {
      return Object.keys(initial).filter(
        (name) => texts[name]?.trim() === "" && !optional.includes(name),
      );
    }
    const field = fieldOf[refusal.code];
    return field === undefined ? [] : [field];
  };
  const judge: Resolver<Texts, unknown, Command> = async (live) => {
    // What is typed while the rules load is not part of what was submitted.
    const texts = { ...live };
    const loaded = await loadRules();
    const parsed =
      loaded === null ? null : schemaInUse.current(loaded, texts as Values).safeParse(texts);
    if (parsed?.success === true) return { values: parsed.data, errors: {} };
    const issue = parsed?.error.issues[0];
    const refusal = refusalOfSentence(issue?.message ?? MESSAGES[options.fallback]);
    const field = Object.keys(initial).find((name) => name === issue?.path[0]);
    const marked = field === undefined ? namesOf(refusal, texts) : [field];
    const places = marked.length > 0 ? marked : [WHOLE_FORM];
    const error = { type: refusal.code, message: refusal.message };
    return { values: {}, errors: Object.fromEntries(places.map((place) => [place, error])) };
  };

  const [defaultValues] = useState<Texts>(() => readDraft(draftKey, initial));
  const form = useForm<Texts, unknown, Command>({
    defaultValues,
    resolver: judge,
  });
  const values = useWatch({ control: form.control }) as Values;
  const { subscribe } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: (state) => writeDraft(draftKey, state.values),
      }),
    [subscribe, draftKey],
  );

  const ownRefusal = refusalOf(form.formState.errors);
  const refusal = ownRefusal ?? options.serverRefusal ?? null;
  const invalid = ownRefusal === null ? namesOf(refusal, values) : fieldsOf(form.formState.errors);

  const set = (changes: Partial<Values>) => {
    for (const [name, text] of Object.entries(changes)) form.setValue(name, text as string);
    // A refusal answers a submission and goes with the next edit.
    form.clearErrors();
    void loadRules();
    options.onEdit?.();
  };
  const wire = (name: NameOf<Values>): FieldWiring => {
    const isInvalid = invalid.includes(name);
    return { id: idOf(name), isInvalid, describedBy: isInvalid ? alertId : undefined };
  };

  const clear = () => {
    form.reset(initial);
    clearDraft(draftKey);
  };
  /** The command, or null after showing the first refusal and moving the focus to its field. */
  const submit = (schemaOf = options.schemaOf): Promise<Command | null> => {
    schemaInUse.current = schemaOf;
    return new Promise((resolve) => {
      const refuse = (errors: FieldErrors<Texts>) => {
        const [first] = fieldsOf(errors);
        if (first !== undefined) document.getElementById(idOf(first))?.focus();
        resolve(null);
      };
      void form.handleSubmit(resolve, refuse)();
    });
  };
  const sendTo = async (send: (command: Command) => Promise<boolean>) => {
    const command = await submit();
    if (command !== null && (await send(command))) clear();
  };

  return {
    values,
    refusal,
    /** Props of the form's RefusalAlert. */
    alert: {
      id: alertId,
      message: refusal?.message,
      fieldId: invalid[0] === undefined ? undefined : idOf(invalid[0]),
    },
    set,
    clear,
    wire,
    /** @param shape transforms the text as it is typed */
    input: (name: NameOf<Values>, shape = asTyped): InputWiring => ({
      ...wire(name),
      value: values[name] ?? "",
      onChange: ({ target }) => set({ [name]: shape(target.value) } as Partial<Values>),
    }),
    submit,
    /** The form's `onSubmit`: `send` gets the command, and resolves to true if the form is done and may be empty again. */
    submitTo: (send: (command: Command) => Promise<boolean>) => (event: FormEvent) => {
      event.preventDefault();
      void sendTo(send);
    },
  };
}
