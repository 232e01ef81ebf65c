// The control of one setting, and its values in words for people.
import { html } from "./vendor/preact-htm.js";

/** @import { Setting, Typed } from "./types.d.ts" */

/** @param {{ setting: Setting, names: string[], value: string, onChange: (value: string) => void }} props */
export function Value({ setting, names, value, onChange }) {
  if (setting.range) {
    return html`<input type="number" name=${setting.name} min=${setting.range[0]} max=${setting.range[1]}
        value=${value} onInput=${(/** @type {Typed} */ e) => onChange(e.target.value)} />`;
  }
  const others = setting.name === "start" ? names : [];
  return html`<select name=${setting.name} value=${value}
      onChange=${(/** @type {Typed} */ e) => onChange(e.target.value)}>
    ${[...(setting.values ?? []), ...others].map((v) => html`<option value=${v}>${valueText(setting, v)}</option>`)}</select>`;
}

/**
 * A value of a setting, in words for people.
 * @param {Setting} setting
 * @param {string} value
 */
export const valueText = (setting, value) => setting.texts[setting.values?.indexOf(value) ?? -1] ?? value;
