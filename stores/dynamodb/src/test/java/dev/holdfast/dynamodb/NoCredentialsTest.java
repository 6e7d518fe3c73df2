package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("without AWS credentials")
class NoCredentialsTest {
    @Test
    @DisplayName("a store does not open, and says where they are looked for")
    void refused(@TempDir Path home) {
        String said;
        try (JavaProcess other =
                start(home, Map.of("AWS_EC2_METADATA_DISABLED", "true"), Dynamo.url("locks", Dynamo.port()))) {
            other.exit();
            said = other.output();
        }
        assertThat(said)
                .contains("StoreUnusableException")
                .contains("No AWS credentials were found for DynamoDB table 'locks'")
                .contains("AWS_ACCESS_KEY_ID")
                .hasSizeLessThan(700);
    }

    /** Opens the store in another process, in which only these variables are about AWS. */
    static JavaProcess start(Path home, Map<String, String> variables, String url) {
        return JavaProgram.of(NoCredentialsTest.class)
                .heap("128m", "-Duser.home=" + home)
                .without("AWS_")
                .with(variables)
                .with(Map.of("HOME", home.toString()))
                .start(url);
    }

    /** In the other process. */
    public static void main(String[] args) {
        try {
            DynamoStore.open(args[0]).close();
            System.out.println("opened");
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }
}
