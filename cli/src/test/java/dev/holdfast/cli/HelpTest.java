package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.holdfast.cli.help.CommandPage;
import dev.holdfast.cli.help.HelpText;
import dev.holdfast.cli.text.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

@DisplayName("The help")
final class HelpTest {
    private static final int NARROW = 80;
    private static final int WIDE = 120;
    /** What is left of 80 columns beside the longest name of a command. */
    private static final int SUMMARY = 66;

    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static List<CommandPage> pages() {
        return CommandPage.all(Main.commandLine(), Main.GROUPS);
    }

    private static Stream<DynamicTest> each(java.util.function.Consumer<CommandPage> check) {
        assertThat(pages()).hasSizeGreaterThan(50);
        return pages().stream().map(page -> DynamicTest.dynamicTest(page.name(), () -> check.accept(page)));
    }

    @TestFactory
    @DisplayName("of every command starts with one line that fits and ends")
    Stream<DynamicTest> summaries() {
        return each(page -> assertThat(page.summary())
                .as("a command is declared with a header")
                .hasSizeBetween(8, SUMMARY)
                .matches("[A-Z].*[^,;: ]\\.")
                .doesNotContain("\n"));
    }

    @Test
    @DisplayName("of all commands together is the same without a look into each of them")
    void outline() {
        assertThat(CommandPage.of(Main.commandLine("--help"), Main.GROUPS))
                .isEqualTo(CommandPage.of(Main.commandLine(), Main.GROUPS));
        assertThat(Main.commandLine("--help")
                        .getSubcommands()
                        .get("exec")
                        .getCommandSpec()
                        .options())
                .as("what takes long to find out")
                .isEmpty();
    }

    @TestFactory
    @DisplayName("of every command has examples that can be typed")
    Stream<DynamicTest> examples() {
        return each(page -> {
            assertThat(page.examples()).isNotEmpty();
            List<String[]> commands = page.examples().stream()
                    .flatMap(example -> typed(example).stream())
                    .toList();
            assertThat(commands).isNotEmpty();
            assertThat(page.name().equals("holdfast") || isAbout(page, commands))
                    .as("an example is about the command itself")
                    .isTrue();
            commands.forEach(args -> assertThatCode(() -> Main.commandLine(args).parseArgs(args))
                    .as(String.join(" ", args))
                    .doesNotThrowAnyException());
        });
    }

    private static boolean isAbout(CommandPage page, List<String[]> commands) {
        return commands.stream()
                .anyMatch(args -> ("holdfast " + String.join(" ", args) + " ").startsWith(page.name() + " "));
    }

    /** The commands of ours in a line of a shell, without the others. */
    private static List<String[]> typed(String line) {
        List<String[]> found = new ArrayList<>();
        Matcher start = Pattern.compile("(?:^|[(|&] ?)holdfast ").matcher(line);
        while (start.find()) {
            String rest = line.substring(start.end()).replaceFirst("( [|>#&] ?| && |\\)).*", "");
            List<String> words = new ArrayList<>();
            Matcher word = WORD.matcher(rest);
            while (word.find()) {
                words.add(word.group().replaceAll("^['\"]|['\"]$", ""));
            }
            found.add(words.toArray(String[]::new));
        }
        return found;
    }

    @TestFactory
    @DisplayName("fits on 80 columns, and tears apart nothing that people paste")
    Stream<DynamicTest> lines() {
        return each(page -> {
            for (int width : List.of(NARROW, WIDE)) {
                String text = HelpText.of(page, width, false);
                assertThat(text.lines().filter(line -> !page.examples().contains(line.strip())))
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
                page.examples().forEach(example -> assertThat(text.lines()).contains("  " + example));
                pasteable(page).forEach(paste -> assertThat(text).contains(paste));
            }
        });
    }

    /** Addresses, and command lines in quotes. */
    private static List<String> pasteable(CommandPage page) {
        return Pattern.compile("\\S+://\\S+|'holdfast [^']{1,29}'")
                .matcher(String.join("\n", page.text()) + page.options())
                .results()
                .map(found -> found.group().replaceFirst("[],.;)]+$", ""))
                .toList();
    }

    @TestFactory
    @DisplayName("of every command says what each option means, and has one list of exit codes")
    Stream<DynamicTest> complete() {
        return each(page -> {
            page.options()
                    .forEach(section -> assertThat(section.entries())
                            .allSatisfy(entry ->
                                    assertThat(entry.text()).as(entry.name()).matches("(?s).{5,}[.)]")));
            page.arguments()
                    .forEach(entry -> assertThat(entry.text())
                            .as(entry.name())
                            .isNotBlank()
                            .endsWith("."));
            assertThat(page.toString()).doesNotContain("default default", "${", "%n");
            boolean group = !page.commands().isEmpty() && page.synopsis().endsWith(" COMMAND");
            if (group || page.name().equals("holdfast")) {
                assertThat(page.exitCodes()).isEmpty();
            } else {
                assertThat(page.exitCodes())
                        .containsKey("2")
                        .containsAnyOf(
                                java.util.Map.entry("0", page.exitCodes().getOrDefault("0", "")),
                                java.util.Map.entry("any", page.exitCodes().getOrDefault("any", "")));
            }
        });
    }

    @Test
    @DisplayName("shows every command in one group, and none that is hidden")
    void groups() {
        List<String> shown = pages().get(0).commands().stream()
                .flatMap(group -> group.entries().stream())
                .map(CommandPage.Entry::name)
                .toList();
        assertThat(shown).doesNotHaveDuplicates().contains("exec", "explain", "context", "help");
        assertThat(pages().get(0).commands())
                .extracting(CommandPage.Section::title)
                .containsExactly("Locks", "Look", "State", "Guard", "Server", "Store", "Other");
        assertThat(shown).doesNotContain("deployer", "__complete", "rehearse", "manual", "reference", "simulate");
    }

    private int run(String... args) {
        CommandLine line =
                Main.commandLine(args).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return line.execute(args);
    }

    @Test
    @DisplayName("comes when it is asked for, on standard output, and by itself on standard error with 2")
    void asked() {
        assertThat(run("help")).isZero();
        String overview = out.toString();
        assertThat(overview).contains("Locks:\n  exec ", "Usage: holdfast");
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).isEqualTo(overview + overview);
        assertThat(err.toString()).isEmpty();
        assertThat(run()).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).isEqualTo(overview);
        assertThat(run("state")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("Usage: holdfast state COMMAND", "  push ");
    }

    @Test
    @DisplayName("of a command is the same, however it is asked for")
    void ofACommand() {
        assertThat(run("help", "state", "push")).isZero();
        String help = out.toString();
        assertThat(help)
                .startsWith("Save a file as the state of a stack.\n")
                .contains("Examples:\n  holdfast state push");
        assertThat(help.indexOf("Examples:")).isLessThan(help.indexOf("Options:"));
        assertThat(run("state", "push", "--help")).isZero();
        assertThat(out.toString()).isEqualTo(help + help);
        assertThat(run("help", "state", "psuh")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("There is no command 'state psuh'. Did you mean 'state push'?");
    }
}
