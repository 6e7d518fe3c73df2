package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("without AWS credentials")
class NoCredentialsTest {
    @Test
    @DisplayName("a store does not open, and says where they are looked for")
    void refused(@TempDir Path home) throws Exception {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        ProcessBuilder other = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.home=" + home,
                "-cp",
                classes,
                NoCredentialsTest.class.getName(),
                Dynamo.url("locks", Dynamo.port())));
        other.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
        other.environment().put("AWS_EC2_METADATA_DISABLED", "true");
        other.environment().put("HOME", home.toString());
        other.redirectError(new File("/dev/null"));
        Process process = other.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said)
                .contains("StoreUnusableException")
                .contains("No AWS credentials were found for DynamoDB table 'locks'")
                .contains("AWS_ACCESS_KEY_ID")
                .hasSizeLessThan(700);
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
