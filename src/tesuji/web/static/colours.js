// Colours that the colour-blind can tell apart: cividis for heat, Okabe and Ito's for lines, which are dashed as well.

const CIVIDIS = [
  [0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116],
  [195, 179, 105], [225, 204, 85], [254, 232, 56],
];

/** The colour of a share from 0 to 1, and the ink that can be read on it. */
export function heat(share) {
  const place = Math.min(1, Math.max(0, share)) * (CIVIDIS.length - 1);
  const low = Math.floor(place), high = Math.min(CIVIDIS.length - 1, low + 1);
  const mixed = CIVIDIS[low].map((part, index) => Math.round(part + (CIVIDIS[high][index] - part) * (place - low)));
  return { fill: `rgb(${mixed.join(",")})`, ink: place > 5 ? "#101010" : "#ffffff" };
}

export const LINES = [
  { colour: "#0072b2", dash: "" }, { colour: "#d55e00", dash: "7 3" }, { colour: "#009e73", dash: "2 3" },
  { colour: "#cc79a7", dash: "9 3 2 3" }, { colour: "#e69f00", dash: "4 2" },
];
