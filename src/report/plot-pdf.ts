/**
 * A sheet of plots as PDF 1.4: one page of vector marks. Its font is the reader's own Helvetica, which has only
 * the letters of Western Europe; others become question marks, and the SVG has them all.
 */
import { rounded } from './plot-sheet.js';
import type { PlotColour, PlotMark, PlotSheet } from './plot-sheet.js';

export function plotPdf({ width, height, marks }: PlotSheet): Buffer {
  const content = marks.map((mark) => markPdf(mark, height)).join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /Font << /F0 5 0 R /F1 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...['Helvetica', 'Helvetica-Bold'].map(
      (font) => `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`,
    ),
  ].map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`);
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object) => {
    const offset = file.length;
    file += object;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  // Every character is one byte, so lengths and offsets are counted in both.
  return Buffer.from(`${file}${table}${trailer}`, 'latin1');
}

/** The origin of a page is its lower left corner. */
function markPdf(mark: PlotMark, height: number): string {
  const [x, y] = [rounded(mark.x), rounded(height - mark.y)];
  switch (mark.kind) {
    case 'text':
      return `BT /F${mark.isBold ? 1 : 0} ${mark.size} Tf ${x} ${y} Td (${textPdf(mark.text)}) Tj ET`;
    case 'line':
      return `${colourPdf(mark.colour)} RG ${mark.width} w ${x} ${y} m ${rounded(mark.toX)} ${rounded(height - mark.toY)} l S`;
    case 'dot':
      // A line of no length with round ends.
      return `${colourPdf(mark.colour)} RG 1 J ${2 * mark.radius} w ${x} ${y} m ${x} ${y} l S 0 J`;
  }
}

function colourPdf(colour: PlotColour): string {
  return colour.map((part) => (part / 255).toFixed(3)).join(' ');
}

/** Where WinAnsi differs from Latin 1; it has no minus. */
const WIN_ANSI: Readonly<Record<string, string>> = {
  '–': '\x96',
  '−': '\x96',
  '—': '\x97',
  '…': '\x85',
  '’': '\x92',
};

function textPdf(text: string): string {
  return text
    .replace(/[^\x20-\x7e\xa0-\xff]/gu, (letter) => WIN_ANSI[letter] ?? '?')
    .replace(/[\\()]/g, (mark) => `\\${mark}`);
}
