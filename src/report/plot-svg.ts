/** A sheet of plots as SVG, with its texts as texts. Names come from scenarios and servers, so all are escaped. */
import { escaped } from './markup.js';
import { rounded } from './plot-sheet.js';
import type { PlotColour, PlotMark, PlotSheet } from './plot-sheet.js';

export function plotSvg({ width, height, marks }: PlotSheet): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...marks.map(markSvg),
    '</svg>\n',
  ].join('\n');
}

function markSvg(mark: PlotMark): string {
  switch (mark.kind) {
    case 'text': {
      const weight = mark.isBold ? ' font-weight="bold"' : '';
      // XML has no such characters, not even escaped.
      const text = escaped(mark.text.replace(/[\uFFFE\uFFFF]/g, ''));
      return `<text x="${rounded(mark.x)}" y="${rounded(mark.y)}" font-size="${mark.size}"${weight} fill="#23211d">${text}</text>`;
    }
    case 'line':
      return `<line x1="${rounded(mark.x)}" y1="${rounded(mark.y)}" x2="${rounded(mark.toX)}" y2="${rounded(mark.toY)}" stroke="${colourText(mark.colour)}" stroke-width="${mark.width}"/>`;
    case 'dot':
      return `<circle cx="${rounded(mark.x)}" cy="${rounded(mark.y)}" r="${mark.radius}" fill="${colourText(mark.colour)}"/>`;
  }
}

function colourText(colour: PlotColour): string {
  return `rgb(${colour.join(',')})`;
}
