package dev.holdfast.cli.help;

import dev.holdfast.cli.help.CommandPage.Entry;
import dev.holdfast.cli.help.CommandPage.Section;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.TextColour;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page as it is shown on a terminal. Texts are wrapped once, between words; what people paste never is. */
public final class HelpText {
    /** Wider lines of text are hard to read. */
    private static final int WIDEST_TEXT = 100;
    /** Longer names have a line of their own, above what they mean. */
    private static final int WIDEST_NAME = 28;

    private static final int INDENT = 2;

    /** A quoted word or command line of several words, which stays together. */
    private static final Pattern QUOTED = Pattern.compile("(?<=^|[ (])'[^' ][^']{0,38}'(?=$|[ .,;:)?])");

    /** Stands for a blank where no line may end. */
    private static final char FIXED_BLANK = '\u00a0';

    private final int width;
    private final boolean bold;
    private final StringBuilder page = new StringBuilder();

    private HelpText(int width, boolean bold) {
        this.width = width;
        this.bold = bold;
    }

    /** In lines of this width, with headings that stand out or without. */
    public static String of(CommandPage command, int width, boolean bold) {
        HelpText text = new HelpText(width, bold);
        text.write(command);
        return text.page.toString();
    }

    private void write(CommandPage command) {
        paragraph(command.summary());
        line("");
        synopsis(command.synopsis());
        if (!command.examples().isEmpty()) {
            heading("Examples");
            command.examples().forEach(example -> line((" ".repeat(INDENT) + example).stripTrailing()));
        }
        if (!command.text().isEmpty()) {
            line("");
            command.text().forEach(this::paragraph);
        }
        list(new Section("Arguments", command.arguments()), nameWidth(command.arguments()));
        lists(command.commands());
        lists(command.options());
        if (command.hasDurations()) {
            line("");
            paragraph(ProgramFacts.DURATIONS);
        }
        exitCodes(command);
    }

    private void lists(List<Section> sections) {
        List<Entry> all =
                sections.stream().flatMap(section -> section.entries().stream()).toList();
        sections.forEach(section -> list(section, nameWidth(all)));
    }

    private void list(Section section, int names) {
        if (section.entries().isEmpty()) {
            return;
        }
        heading(section.title());
        section.entries().forEach(entry -> entry(aligned(entry.name()), entry.text(), names));
    }

    /** Long names of options stand below each other, whether there is a short one or not. */
    private static String aligned(String name) {
        return name.startsWith("--") ? "    " + name : name;
    }

    private static int nameWidth(List<Entry> entries) {
        return entries.stream()
                .mapToInt(entry -> aligned(entry.name()).length())
                .filter(length -> length <= WIDEST_NAME)
                .max()
                .orElse(WIDEST_NAME);
    }

    private void entry(String name, String text, int names) {
        int start = INDENT + names + 2;
        List<String> lines = wrapped(text, Math.min(width - start, WIDEST_TEXT));
        String first = " ".repeat(INDENT) + name;
        int from = 0;
        if (name.length() <= names) {
            line((first + " ".repeat(start - first.length()) + lines.get(0)).stripTrailing());
            from = 1;
        } else {
            line(first);
        }
        lines.subList(from, lines.size()).forEach(rest -> line(" ".repeat(start) + rest));
    }

    private void exitCodes(CommandPage command) {
        if (command.exitCodes().isEmpty()) {
            return;
        }
        heading("Exit codes");
        int codes = command.exitCodes().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        command.exitCodes().forEach((code, meaning) -> entry(" ".repeat(codes - code.length()) + code, meaning, codes));
    }

    /** Broken only between its parts, each of which stays whole. */
    private void synopsis(String synopsis) {
        String label = "Usage: ";
        Matcher group = Pattern.compile("\\[[^\\]]*\\](?:\\.\\.\\.)?|\\([^)]*\\)|--[a-z-]+ [A-Z]\\S*")
                .matcher(synopsis);
        String whole = group.replaceAll(found -> Matcher.quoteReplacement(fixed(found.group())));
        List<String> lines = wrapped(whole, width - label.length());
        line(label + lines.get(0));
        lines.subList(1, lines.size()).forEach(rest -> line(" ".repeat(label.length() + INDENT) + rest));
    }

    private void paragraph(String text) {
        if (text.startsWith("  ")) {
            line(text.stripTrailing());
        } else {
            wrapped(text, Math.min(width, WIDEST_TEXT)).forEach(this::line);
        }
    }

    private static List<String> wrapped(String text, int columns) {
        String whole = QUOTED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(fixed(found.group())));
        return Screen.wrapped(whole, columns).stream()
                .map(line -> line.replace(FIXED_BLANK, ' '))
                .toList();
    }

    private static String fixed(String text) {
        return text.replace(' ', FIXED_BLANK);
    }

    private void heading(String title) {
        line("");
        line(bold ? TextColour.STRONG.on(title + ":") : title + ":");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
