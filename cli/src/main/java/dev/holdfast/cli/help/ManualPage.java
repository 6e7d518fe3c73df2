package dev.holdfast.cli.help;

import dev.holdfast.cli.help.CommandPage.Entry;
import dev.holdfast.cli.help.CommandPage.Section;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** A page for {@code man}, in roff with the macros of {@code man(7)}. */
public final class ManualPage {
    private final CommandPage command;
    private final StringBuilder page = new StringBuilder();

    private ManualPage(CommandPage command) {
        this.command = command;
    }

    /** Such as {@code holdfast-state-push.1}. */
    public static String fileName(CommandPage command) {
        return title(command.name()) + ".1";
    }

    /** The page of a command; {@code all} are those of the program, for what is near it. */
    public static String of(CommandPage command, List<CommandPage> all, String version) {
        ManualPage manual = new ManualPage(command);
        manual.write(all, version);
        return manual.page.toString();
    }

    private static String title(String name) {
        return name.replace(' ', '-');
    }

    private void write(List<CommandPage> all, String version) {
        boolean program = !command.name().contains(" ");
        line(".TH \"" + escaped(title(command.name()).toUpperCase(Locale.ROOT)) + "\" \"1\" \"\" \""
                + escaped("Holdfast " + version) + "\" \"Holdfast\"");
        section("NAME");
        line(escaped(title(command.name())) + " \\- "
                + escaped(lowered(command.summary()).replaceFirst("\\.$", "")));
        section("SYNOPSIS");
        line("\\fB" + escaped(command.name()) + "\\fR"
                + escaped(command.synopsis()
                        .substring(Math.min(
                                command.name().length(), command.synopsis().length()))));
        if (!command.examples().isEmpty()) {
            section("EXAMPLES");
            verbatim(command.examples());
        }
        description();
        entries("", command.arguments());
        command.commands().forEach(group -> entries(group.title(), group.entries()));
        options();
        section("EXIT STATUS");
        Map<String, String> codes = program ? ProgramFacts.exitCodes() : command.exitCodes();
        codes.forEach((code, meaning) -> entry(new Entry(code, meaning)));
        if (codes.isEmpty()) {
            line("Each of its commands has its own; see their pages.");
        }
        environment(program);
        files(program);
        seeAlso(all);
    }

    private void description() {
        section("DESCRIPTION");
        line(escaped(command.summary()));
        boolean verbatim = false;
        line(".PP");
        for (String text : command.text()) {
            boolean fixed = text.startsWith("  ");
            if (fixed != verbatim) {
                line(fixed ? ".nf" : ".fi");
                verbatim = fixed;
            }
            if (text.isEmpty()) {
                line(".PP");
            } else {
                line(escaped(text));
                if (!fixed) {
                    line(".br");
                }
            }
        }
        if (verbatim) {
            line(".fi");
        }
    }

    private void options() {
        if (command.options().isEmpty()) {
            return;
        }
        section("OPTIONS");
        for (int i = 0; i < command.options().size(); i++) {
            Section options = command.options().get(i);
            entries(i == 0 ? "" : options.title(), options.entries());
        }
        if (command.hasDurations()) {
            line(".PP");
            line(escaped(ProgramFacts.DURATIONS));
        }
    }

    private void entries(String title, List<Entry> entries) {
        if (!title.isEmpty()) {
            line(".SS \"" + escaped(title) + "\"");
        }
        entries.forEach(this::entry);
    }

    private void entry(Entry entry) {
        line(".TP");
        line("\\fB" + escaped(entry.name()) + "\\fR");
        line(escaped(entry.text()));
    }

    /** What the page names, and what every command reads that connects to something. */
    private void environment(boolean program) {
        String text = command.toString();
        Map<String, String> named = new LinkedHashMap<>(ProgramFacts.environment());
        boolean connects = text.contains("--server URL");
        if (!program) {
            named.keySet()
                    .removeIf(name -> !(connects && ProgramFacts.connection().containsKey(name))
                            && !Pattern.compile("\\b" + name + "\\b")
                                    .matcher(text)
                                    .find());
        }
        if (!named.isEmpty()) {
            section("ENVIRONMENT");
            named.forEach((name, meaning) -> entry(new Entry(name, meaning)));
        }
    }

    private void files(boolean program) {
        String text = command.toString();
        boolean contexts =
                program || text.contains("--context NAME") || command.name().contains(" context");
        boolean settings = program || text.contains("holdfast.yaml");
        if (contexts || settings) {
            section("FILES");
        }
        if (contexts) {
            entry(new Entry(
                    ProgramFacts.CONTEXTS_FILE,
                    "Contexts: servers and stores by name. XDG_CONFIG_HOME is respected; HOLDFAST_CONTEXT_FILE names another"
                            + " file."));
        }
        if (settings) {
            entry(new Entry("./holdfast.yaml", "Settings of the server that 'holdfast serve' starts here."));
        }
    }

    private void seeAlso(List<CommandPage> all) {
        String name = command.name();
        String above = name.contains(" ") ? name.substring(0, name.lastIndexOf(' ')) : name;
        List<String> near = all.stream()
                .map(CommandPage::name)
                .filter(other -> !other.equals(name))
                .filter(other -> other.equals(above)
                        || isChild(other, name)
                        || (above.contains(" ") && isChild(other, above))
                        || command.toString().contains("'" + other.replaceFirst("^\\S+ ", "") + "'"))
                .map(other -> "\\fB" + escaped(title(other)) + "\\fR(1)")
                .toList();
        if (!near.isEmpty()) {
            section("SEE ALSO");
            line(String.join(",\n", near));
        }
    }

    private static boolean isChild(String other, String name) {
        return other.startsWith(name + " ") && other.indexOf(' ', name.length() + 1) < 0;
    }

    private void verbatim(List<String> lines) {
        line(".PP");
        line(".RS 4");
        line(".nf");
        lines.forEach(text -> line(escaped(text)));
        line(".fi");
        line(".RE");
    }

    private void section(String title) {
        line(".SH \"" + title + "\"");
    }

    private static String lowered(String text) {
        return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }

    /** A sign that roff would read as its own is escaped; a line that starts like a request is not one. */
    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("'", "\\(aq")
                .replace("\"", "\\(dq")
                .replace("`", "\\(ga")
                .replace("^", "\\(ha")
                .replace("~", "\\(ti")
                .replace("…", "\\.\\.\\.")
                .replace("→", "\\->");
        return plain.startsWith(".") ? "\\&" + plain : plain;
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
