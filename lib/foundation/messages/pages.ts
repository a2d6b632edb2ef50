/** The texts about the web pages. Those of the pages themselves are in `web/texts/`. */
import type { Texts } from "./texts.ts";

export const PAGES = {
  cli_help_cmd_ui: [
    "在浏览器中打开网页界面",
    "open the web pages in the browser",
  ],
  cli_help_ui: ["同时提供网页界面", "offer the web pages as well"],
  cli_help_no_open: [
    "只输出地址，不打开浏览器",
    "print the address and do not open the browser",
  ],
  cli_help_port_ui: [
    "网页的端口，默认任意空闲端口",
    "port for the pages, any free one by default",
  ],
  pages_opened: [
    "已在浏览器中打开。地址一分钟内可用一次；按 Enter 输出新地址，按 Ctrl-C 结束",
    "Opened in the browser. An address works once, within a minute; Enter prints a new one, Ctrl-C ends",
  ],
  pages_open_it: [
    "请在浏览器中打开上面的地址。地址一分钟内可用一次；按 Enter 输出新地址，按 Ctrl-C 结束",
    "Open the address above in a browser. It works once, within a minute; Enter prints a new one, Ctrl-C ends",
  ],
  pages_beside: [
    "网页界面：{url}（用服务器的令牌登录）",
    "Web pages: {url} (sign in with the token of the server)",
  ],
  pages_beside_code: [
    "网页界面：{url}（一分钟内可用一次；按 Enter 输出新地址）",
    "Web pages: {url} (works once, within a minute; Enter prints a new address)",
  ],
  pages_no_folder: [
    "还没有建立过索引的文件夹。请指定一个，例如：muxue_rag ui --dir 文件夹",
    "No folder is indexed yet. Name one: muxue_rag ui --dir FOLDER",
  ],
  pages_not_built: [
    "网页尚未构建。请在项目文件夹中运行：npx -y deno@2.9.6 task pages",
    "The web pages are not built. In the folder of the project, run: npx -y deno@2.9.6 task pages",
  ],
  pages_other_host: [
    "拒绝访问：请求的地址不是本程序的地址。请使用终端中显示的地址",
    "Refused: the request names another server. Use the address that the terminal shows",
  ],
  pages_other_origin: [
    "拒绝访问：请求来自其他网页。请在地址栏中打开终端显示的地址",
    "Refused: the request comes from another page. Open the address that the terminal shows yourself",
  ],
  pages_wrong_method: [
    "不支持这种请求方法",
    "This method is not supported here",
  ],
  pages_no_json: [
    "请求的内容必须是 application/json",
    "The body must be application/json",
  ],
  pages_no_token: [
    "尚未登录，或程序已重新启动。请在运行 muxue_rag 的终端按 Enter，打开新地址",
    "Not signed in, or the program has restarted. Press Enter in the terminal where muxue_rag runs and open the new address",
  ],
  pages_wrong_token: [
    "服务没有这个令牌。请核对后重新输入",
    "The server has no such token. Check it and type it again",
  ],
  pages_code_used: [
    "地址已用过或已过期（一分钟）。请在运行 muxue_rag 的终端按 Enter，打开新地址",
    "The address was used already or is older than a minute. Press Enter in the terminal where muxue_rag runs and open the new one",
  ],
  pages_too_large: ["请求的内容太大", "The body is too large"],
  upload_not_allowed: [
    "不能向 {folder} 添加文件。如需允许，请在您指定的配置文件中设置 collections.{folder}.upload: true",
    "Files cannot be added to {folder}. To allow it, set collections.{folder}.upload: true in a configuration that you name",
  ],
  upload_bad_name: [
    '文件名 {name} 不能使用：不得为空、以点开头、以点或空格结尾，不得含有 / \\ : * ? " < > | 和不可见字符，也不得是 Windows 的设备名或本程序的配置文件名，最长 {limit} 字节。请改名',
    'The name {name} cannot be used: it must not be empty, begin with a dot, end in a dot or a space, contain / \\ : * ? " < > | or invisible characters, be the name of a Windows device or of a configuration file of this program, or be longer than {limit} bytes. Rename the file',
  ],
  upload_taken: [
    "{folder} 中已有 {name}，没有覆盖。请换个名字",
    "{folder} has {name} already, which was not overwritten. Choose another name",
  ],
  upload_no_bytes: ["上传的内容不完整，请重试", "The uploaded file is not complete. Try again"],
  evaluation_not_shown: [
    "受限的访问不能评测",
    "Clients with limited access cannot evaluate",
  ],
  pages_eval_no_places: [
    "{name} 中的问题没有标明答案所在的文件（files 或 spans）。回答的评测请用命令 eval",
    "No question in {name} names the files or spans of its answer. To measure answers, use the command eval",
  ],
  pages_no_run: [
    "没有这次更新的记录，程序可能已重新启动。请重新开始更新",
    "This update is unknown; the program may have restarted. Start the update again",
  ],
  pages_no_call: ["没有这个地址", "There is nothing at this address"],
  pages_bad_call: [
    "请求的格式不对：{reason}",
    "The call does not have the expected form: {reason}",
  ],
  pages_failed: [
    "内部错误：{reason}。详情见日志",
    "Internal error: {reason}. The log has the details",
  ],
  pages_no_file_manager: [
    "这台机器上没有可用的文件管理器",
    "There is no file manager on this machine that could show the file",
  ],
} satisfies Texts;
