import * as l10n from '@vscode/l10n';
import { number } from './translation';

/** The report of `agentmd test --format json`. */
export interface Report {
  readonly programs: readonly { readonly path: string; readonly file: string; readonly cases: readonly Case[] }[];
  readonly summary: { readonly passed: number; readonly failed: number; readonly unrecorded: number; readonly errors: number };
}

interface Case {
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
  readonly outcome: 'passed' | 'failed' | 'unrecorded' | 'error';
  readonly message?: string;
}

function inWords(outcome: Case['outcome']): string {
  switch (outcome) {
    case 'passed':
      return l10n.t('passed');
    case 'failed':
      return l10n.t('failed');
    case 'unrecorded':
      return l10n.t('unrecorded');
    case 'error':
      return l10n.t('error');
  }
}

/** A case that didn't pass. */
export interface Problem {
  readonly file: string;
  /** Counted from 0. */
  readonly line: number;
  readonly message: string;
  readonly isWarning: boolean;
}

/** The argument of a lens. */
export interface Runnable {
  readonly uri: string;
  /** Whether the program has an example of its input. */
  readonly sample?: boolean;
  /** Runs this case instead of all. */
  readonly case?: string;
}

export function isRunnable(given: unknown): given is Runnable {
  return typeof given === 'object' && given !== null && typeof (given as { uri?: unknown }).uri === 'string';
}

function inputArguments(input: string | undefined): string[] {
  return input === undefined ? ['--sample'] : ['--input', input];
}

/** The arguments that run a program; `input` is JSON, or undefined for the program's sample. The run is recorded in `place`. */
export function runArguments(file: string, input: string | undefined, place: string | undefined): string[] {
  return ['run', file, ...inputArguments(input), ...(place === undefined ? [] : ['--record', place])];
}

/** The arguments that show a recorded run again, step by step, without sending anything. */
export function debugArguments(file: string, input: string | undefined, place: string): string[] {
  return ['run', file, ...inputArguments(input), '--replay', place, '--debug'];
}

/** The arguments that run the tests of a file, or one case. */
export function testArguments(file: string, name: string | undefined): string[] {
  return ['test', file, '--format', 'json', ...(name === undefined ? [] : ['--exact', `--filter=${name}`])];
}

/** Reads a report; undefined for anything else. */
export function readReport(text: string): Report | undefined {
  try {
    const report = JSON.parse(text) as Partial<Report> | null;
    return Array.isArray(report?.programs) && report.summary ? (report as Report) : undefined;
  } catch {
    return undefined;
  }
}

/** The files of a report, each with the cases that didn't pass. */
export function problems(report: Report): Map<string, Problem[]> {
  const found = new Map<string, Problem[]>();
  for (const { file, cases } of report.programs) {
    const failed = cases.filter(({ outcome }) => outcome !== 'passed');
    const rows = failed.map(({ name, line, outcome, message }) => ({ file, line: Math.max(line - 1, 0), message: `${name}: ${message ?? inWords(outcome)}`, isWarning: outcome === 'unrecorded' }));
    found.set(file, [...(found.get(file) ?? []), ...rows]);
  }
  return found;
}

/** The result of a case. */
export interface Outcome {
  readonly outcome: Case['outcome'];
  readonly message: string;
}

/** The results of cases, by the URI of their file and their name. */
export function outcomes(report: Report, uri: (file: string) => string): Map<string, Outcome> {
  const all = report.programs.flatMap(({ file, cases }) => cases.map(({ name, outcome, message }) => [`${uri(file)}#${name}`, { outcome, message: message ?? inWords(outcome) }] as const));
  return new Map(all);
}

/** The report in a few words: `2 passed, 1 failed`. */
export function summary({ summary: { passed, failed, unrecorded, errors } }: Report): string {
  const parts = [
    l10n.t('{0} passed', number(passed)),
    failed > 0 ? l10n.t('{0} failed', number(failed)) : '',
    unrecorded > 0 ? l10n.t('{0} unrecorded', number(unrecorded)) : '',
    errors === 1 ? l10n.t('1 error') : errors > 1 ? l10n.t('{0} errors', number(errors)) : '',
  ];
  return parts.filter(Boolean).join(', ');
}
