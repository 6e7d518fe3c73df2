package dev.holdfast.bench.peers.report;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** Horizontal bars in groups, as SVG: a name on the left, the value at the end of its bar, and a thin line from the lowest to the highest run. */
record BarChart(String title, String unit, Scale scale, List<Group> groups) {
    private static final int WIDTH = 900;
    private static final int LEFT = 290;
    private static final int RIGHT = 110;
    private static final int TOP = 58;
    private static final int ROW = 24;
    private static final int BAR = 15;
    private static final int HEADING = 34;
    private static final String OURS = "#1f6f54";
    private static final String OTHERS = "#a9b8c6";
    private static final String TEXT = "#1d2733";
    private static final String FAINT = "#5d6b79";

    /** Of which bars the lengths can be compared. */
    enum Scale {
        ONE,
        OF_EACH_GROUP
    }

    /** Bars that are compared with each other. */
    record Group(String heading, List<Bar> bars) {}

    record Bar(String label, Spread value, boolean ours) {}

    String svg() {
        int height = TOP
                + groups.stream()
                        .mapToInt(group -> HEADING + ROW * group.bars().size())
                        .sum()
                + 16;
        Formatter svg = new Formatter(Locale.ROOT);
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " font-family=\"system-ui, sans-serif\" font-size=\"13\">%n",
                WIDTH, height, WIDTH, height);
        svg.format("<title>%s</title>%n", escaped(title));
        svg.format("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n", WIDTH, height);
        text(svg, 16, 26, TEXT, "start", "font-size=\"16\" font-weight=\"600\"", title);
        text(svg, 16, 45, FAINT, "start", "", unit);
        int y = TOP;
        for (Group group : groups) {
            text(svg, 16, y + 22, TEXT, "start", "font-weight=\"600\"", group.heading());
            y += HEADING;
            double length = (WIDTH - LEFT - RIGHT)
                    / Math.max(highest(scale == Scale.ONE ? groups : List.of(group)), Double.MIN_NORMAL);
            for (Bar bar : group.bars()) {
                bar(svg, y, length, bar);
                y += ROW;
            }
        }
        return svg.format("</svg>%n").toString();
    }

    private static double highest(List<Group> compared) {
        return compared.stream()
                .flatMap(group -> group.bars().stream())
                .mapToDouble(bar -> bar.value().highest())
                .max()
                .orElse(1);
    }

    private static void bar(Formatter svg, int y, double scale, Bar bar) {
        Spread value = bar.value();
        int middle = y + BAR / 2;
        text(svg, LEFT - 10, y + 12, TEXT, "end", bar.ours() ? "font-weight=\"600\"" : "", bar.label());
        svg.format(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>%n",
                LEFT, y, Math.max(1, value.median() * scale), BAR, bar.ours() ? OURS : OTHERS);
        if (value.highest() > value.lowest()) {
            svg.format(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"1.5\"/>%n",
                    LEFT + value.lowest() * scale, middle, LEFT + value.highest() * scale, middle, TEXT);
        }
        text(
                svg,
                (int) (LEFT + value.highest() * scale) + 8,
                y + 12,
                FAINT,
                "start",
                "",
                Tables.number(value.median()));
    }

    private static void text(Formatter svg, int x, int y, String colour, String anchor, String more, String content) {
        svg.format(
                "<text x=\"%d\" y=\"%d\" fill=\"%s\" text-anchor=\"%s\" %s>%s</text>%n",
                x, y, colour, anchor, more, escaped(content));
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
