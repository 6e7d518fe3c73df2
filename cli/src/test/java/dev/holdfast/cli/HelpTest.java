package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

@DisplayName("The help")
final class HelpTest {
    @TestFactory
    @DisplayName("of every command says what it does, what each option means, and its exit codes")
    Stream<DynamicTest> complete() {
        List<CommandLine> all = new ArrayList<>();
        collect(Main.commandLine(), all);
        assertThat(all).hasSizeGreaterThan(20);
        return all.stream()
                .map(command -> DynamicTest.dynamicTest(command.getCommandSpec().qualifiedName(), () -> {
                    assertThat(command.getCommandSpec().usageMessage().description())
                            .isNotEmpty();
                    assertThat(command.getCommandSpec().usageMessage().exitCodeList())
                            .containsKeys("0", "2");
                    assertThat(command.getCommandSpec().options())
                            .allSatisfy(option -> assertThat(option.description())
                                    .as(option.longestName())
                                    .isNotEmpty());
                    assertThat(command.getUsageMessage()).contains("Exit codes:");
                }));
    }

    private static void collect(CommandLine command, List<CommandLine> all) {
        all.add(command);
        command.getSubcommands().values().forEach(sub -> collect(sub, all));
    }

    @Test
    @DisplayName("does not list what only the script deployer uses")
    void hidden() {
        assertThat(Main.commandLine().getUsageMessage()).contains("explain").doesNotContain("deployer");
    }
}
