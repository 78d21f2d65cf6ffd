// <ph-check>: runs the self-test of this copy of Phasor in this browser. The golden cases are loaded when the test starts.
import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit';
import { messageOf } from '../../engine/errors.ts';
import type { AnyPhasor } from '../../self-test/any-phasor.ts';
import type { CheckResult } from '../../self-test/check.ts';
import { LabElement } from '../element.ts';
import { engine } from '../state/store.ts';
import { CHECK_STRINGS as STRINGS, VARIANT_NAMES } from '../strings.ts';

/** Maximum number of failures listed by name. */
const MAX_LISTED_COUNT = 10;

function formatVerdict({ caseCount, completedCount, failures }: CheckResult): string {
  const failureTexts = failures.length > 0 ? [STRINGS.casesDiffer(failures.length, completedCount)] : [];
  const timeoutTexts = completedCount < caseCount ? [STRINGS.timedOut(completedCount, caseCount)] : [];
  return [...failureTexts, ...timeoutTexts].join('; ') || STRINGS.allPassed(caseCount);
}

export class SelfTestPanel extends LabElement {
  private readonly announcement = signal<string | TemplateResult | undefined>(undefined);
  private readonly isRunning = signal(false);

  protected override render() {
    if (!engine.value) return nothing;
    return html`<button type="button" class="plain" ?disabled=${this.isRunning.value} @click=${this.runCheck}>${STRINGS.runTest}</button>
      <span role="status">${this.announcement.value ?? nothing}</span>`;
  }

  private readonly runCheck = async (): Promise<void> => {
    const currentEngine = engine.peek();
    if (!currentEngine) return;
    this.isRunning.value = true;
    this.announcement.value = STRINGS.fetchingCases;
    try {
      const { checkEngine } = await import('../../self-test/check.ts');
      const result = await checkEngine(currentEngine as unknown as AnyPhasor, (completedCount, caseCount) => {
        if (completedCount % 40 === 1) this.announcement.value = STRINGS.progress(completedCount, caseCount);
      });
      this.announcement.value = this.renderReport(result, currentEngine);
    } catch (thrown) {
      this.announcement.value = STRINGS.couldNotRun(messageOf(thrown));
    }
    this.isRunning.value = false;
  };

  private renderReport(
    result: CheckResult,
    { version, variant }: { readonly version: string; readonly variant: keyof typeof VARIANT_NAMES },
  ): TemplateResult {
    const { failures, seconds } = result;
    const failureItems = failures.slice(0, MAX_LISTED_COUNT).map(({ name, reason }) => html`<li>${name}: ${reason}</li>`);
    const moreItem =
      failures.length > MAX_LISTED_COUNT ? html`<li>${STRINGS.moreFailures(failures.length - MAX_LISTED_COUNT)}</li>` : nothing;
    return html`<strong>${formatVerdict(result)}</strong>: ${STRINGS.environment(version, VARIANT_NAMES[variant], seconds.toFixed(1))} ${navigator.userAgent}
      ${failures.length > 0 ? html`<ul>${failureItems}${moreItem}</ul>` : nothing}`;
  }
}
