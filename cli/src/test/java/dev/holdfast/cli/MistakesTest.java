package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.text.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is wrong on a command line")
class MistakesTest {
    @ParameterizedTest(name = "{0}")
    @DisplayName("is said in its own words, with what was probably meant")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "list | There is no command 'list'. Did you mean 'ls'?",
                "lock a | There is no command 'lock'. Did you mean 'exec' or 'acquire'?",
                "status | Did you mean 'get', 'ls' or 'doctor'?",
                "exce a | Did you mean 'exec'?",
                "state psh | There is no command 'state psh'. Did you mean 'state push'?",
                "frobnicate | There is no command 'frobnicate'.",
                "get --namespce x a | 'holdfast get' has no option '--namespce'. Did you mean '--namespace'?",
                "ls -o jsn | 'jsn' is not an output format. There are table, wide, json, yaml, name, value=FIELD. Did you mean 'json'?",
                "get a b | 'holdfast get' does not take the word 'b'.",
                "get | Missing: KEY.",
                "token create x | Missing: --role NAMESPACE=ROLE[,ROLE].",
                "ls --limit many | --limit takes a whole number, not 'many'.",
                "acquire a --lease 3sec | --lease: '3sec' is not a duration.",
                "acquire a --lease 3s --lease 4s | --lease can be given only once.",
                "acquire a --metadata x | --metadata takes KEY=VALUE, not 'x'.",
                "exec a echo -n hi | Example: holdfast exec a -- echo -n hi",
                "exec -w 3 a ls --foo | put -- in front of that: holdfast exec -w 3 a -- ls --foo",
                "completion tcsh | SHELL takes bash, zsh, fish; not 'tcsh'.",
                "acquire a --lease 50ms --store memory: | lease '50ms' must be between 100ms and 24h",
                "ls --store foo:bar | 'foo:bar' is not the URL of a store. Known are: memory:",
                "ls --token-file nowhere | There is no file 'nowhere' (--token-file)",
                "ls --token-file . | '.' is a directory, not a file (--token-file)",
                "ls --ca-file nowhere | There is no file 'nowhere' (--ca-file)",
                "ls --ca-file pom.xml --server https://127.0.0.1:1 | There are no certificates in 'pom.xml' that can be read (--ca-file)",
            })
    void said(String line, String expected) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] args = line.split(" ", -1);
        int code = Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        assertThat(code).as(err.toString()).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString())
                .startsWith("holdfast: ")
                .contains(expected)
                .doesNotContain("java.", "PT0", "index 0", "class path");
    }
}
